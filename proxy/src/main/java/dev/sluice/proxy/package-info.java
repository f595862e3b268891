@NullMarked
package dev.sluice.proxy;

import org.jspecify.annotations.NullMarked;
