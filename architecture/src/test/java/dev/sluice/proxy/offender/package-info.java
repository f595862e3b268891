/** Breaks every rule of the data path, so that {@code FencesTest} can see the fences hold. */
@NullMarked
package dev.sluice.proxy.offender;

import org.jspecify.annotations.NullMarked;
