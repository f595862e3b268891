@NullMarked
package dev.sluice.embedded;

import org.jspecify.annotations.NullMarked;
