@NullMarked
package dev.sluice.lifecycle;

import org.jspecify.annotations.NullMarked;
