@NullMarked
package dev.sluice.kubernetes;

import org.jspecify.annotations.NullMarked;
