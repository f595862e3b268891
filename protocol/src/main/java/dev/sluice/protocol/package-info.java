@NullMarked
package dev.sluice.protocol;

import org.jspecify.annotations.NullMarked;
