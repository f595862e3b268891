@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
