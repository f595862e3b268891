/** Breaks every rule of a pure module, so that {@code FencesTest} can see the fences hold. */
@NullMarked
package dev.sluice.lifecycle.offender;

import org.jspecify.annotations.NullMarked;
