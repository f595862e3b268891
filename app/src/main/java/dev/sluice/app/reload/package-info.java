/**
 * From somebody who asks for a reload to what came of it.
 *
 * <p>{@link dev.sluice.app.reload.Reloader} takes what was asked (a call, a signal, a file that
 * changed), finds every error before anything is touched, refuses what cannot change while the
 * process runs, and hands the rest to the proxy. A {@link dev.sluice.app.reload.ReloadResult} says
 * who asked, what changed, what was done to each virtual cluster and how long it took. {@link
 * dev.sluice.app.reload.FileWatch} looks for changes of the configuration file and of the files
 * that it names.
 */
@NullMarked
package dev.sluice.app.reload;

import org.jspecify.annotations.NullMarked;
