/**
 * A proxy from its start to its end: {@link dev.sluice.app.run.RunningProxy} puts together what a
 * configuration asks for, hears the signals of the operating system, and ends all of it in order.
 */
@NullMarked
package dev.sluice.app.run;

import org.jspecify.annotations.NullMarked;
