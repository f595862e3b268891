@NullMarked
package dev.sluice.simulation;

import org.jspecify.annotations.NullMarked;
