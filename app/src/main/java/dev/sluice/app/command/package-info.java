/**
 * What people type. One class for each command, put together by {@link
 * dev.sluice.app.command.CommandLines}; commands that ask something of a running proxy do so
 * through its management API, as anybody could.
 *
 * <p>Exit status: 0 done, 1 failed, 2 bad usage, 3 halted for safety. A failure is told in one
 * sentence that says what was expected, what was found and what to do; its stack trace only with
 * {@code --debug}.
 */
@NullMarked
package dev.sluice.app.command;

import org.jspecify.annotations.NullMarked;
