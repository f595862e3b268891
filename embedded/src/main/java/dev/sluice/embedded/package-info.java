/**
 * A real Kafka cluster on this machine: KRaft servers, one JVM each, from Maven artifacts.
 *
 * <p>A {@link dev.sluice.embedded.ClusterPlan} says what is wanted; {@link
 * dev.sluice.embedded.EmbeddedCluster#start} chooses free ports, writes one folder per server, and
 * starts a <em>supervisor</em>, a small JVM of ours that owns the servers. Everybody, the one who
 * started it as well as who attached later, commands servers by asking the supervisor over loopback
 * with a token out of a file that only its owner can read. So a server's restart is finished even
 * if the one who asked for it is killed in the middle.
 *
 * <pre>
 *   owner ==stdin==> supervisor ==stdin==> server JVM, server JVM, ...
 *                        \======stdin====> guard (a shell)
 * </pre>
 *
 * <p>Nothing is left behind, because each pipe above says by its end that the process before it is
 * no more: the supervisor then kills its servers, a server ends itself, and the guard kills the
 * servers that cannot, being paused. Each is enough against the death of any one process, however
 * it dies.
 *
 * <p>On Linux and macOS: signals and {@code /bin/sh} are needed.
 */
@NullMarked
package dev.sluice.embedded;

import org.jspecify.annotations.NullMarked;
