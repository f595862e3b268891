/**
 * Platforms: whoever owns the processes of servers. {@link
 * dev.sluice.roller.platform.ProcessPlatform} asks the supervisor of local processes over loopback;
 * {@link dev.sluice.roller.platform.CommandPlatform} runs commands that a person wrote down, for
 * servers on other machines. What neither can tell is an exception, never a guess.
 */
@NullMarked
package dev.sluice.roller.platform;

import org.jspecify.annotations.NullMarked;
