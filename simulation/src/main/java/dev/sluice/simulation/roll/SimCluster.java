package dev.sluice.simulation.roll;

import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.roll.SimServer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The servers, partitions and quorum of one world, and how they move by themselves. */
final class SimCluster {

  /** How long a dead broker stays in the in-sync sets. */
  static final Duration SESSION_TIMEOUT = Duration.ofSeconds(9);

  static final Duration FETCH_TIMEOUT = Duration.ofSeconds(2);

  final List<SimServer> servers = new ArrayList<>();
  final List<SimPartition> partitions = new ArrayList<>();
  final Swarm swarm;
  final Chance chance;
  final VirtualTime time;
  final Trace trace;
  String desired = "r0";
  Instant desiredSince;
  String badRevision = "";
  int leader = -1;
  private int topics;

  SimCluster(Swarm swarm, Chance chance, VirtualTime time, Trace trace) {
    this.swarm = swarm;
    this.chance = chance;
    this.time = time;
    this.trace = trace;
    this.desiredSince = time.now();
    for (int id = 0; id < swarm.servers(); id++) {
      boolean controller = id < swarm.controllers() + swarm.combined();
      servers.add(new SimServer(id, id >= swarm.controllers(), controller, time.now()));
    }
    leader = chance.between(0, swarm.controllers() + swarm.combined() - 1);
    int wanted = chance.between(0, 10);
    for (int i = 0; i < wanted; i++) {
      createTopic();
    }
  }

  int serving() {
    int serving = 0;
    for (SimServer server : servers) {
      serving |= server.broker && server.serves() ? 1 << server.id : 0;
    }
    return serving;
  }

  int voters() {
    return swarm.controllers() + swarm.combined();
  }

  /** Creates a topic of one partition on servers that live, as the controllers do. */
  void createTopic() {
    int serving = serving();
    int replication = Math.min(Integer.bitCount(serving), chance.oneOf(List.of(1, 2, 3, 3, 3, 4)));
    if (replication == 0) {
      return;
    }
    int replicas = 0;
    while (Integer.bitCount(replicas) < replication) {
      replicas |= (1 << chance.between(0, servers.size() - 1)) & serving;
    }
    int minimum = chance.onceIn(6) ? replication : Math.max(1, replication - chance.between(1, 2));
    partitions.add(new SimPartition("t" + topics++, minimum, replicas, time.now()));
  }

  void desire(String revision) {
    desired = revision;
    desiredSince = time.now();
  }

  // --- lives of servers

  void start(SimServer server) {
    int life = ++server.life;
    server.cannotStart = false;
    server.process = time.now();
    server.running = server.stuckRevision ? server.running : desired;
    server.become(State.STARTING, time.now());
    trace.note(time.now() + " starts " + server);
    boolean slow = swarm.slowStarts() && chance.onceIn(6);
    Duration delay = slow ? chance.millis(40_000, 100_000) : chance.millis(1_000, 20_000);
    time.after(delay, () -> started(server, life));
  }

  private void started(SimServer server, int life) {
    if (server.life != life) {
      return;
    }
    if (server.running.equals(badRevision)) {
      if (chance.onceIn(2)) {
        server.life++;
        server.cannotStart = true;
        server.process = time.now();
        server.become(State.DOWN, time.now());
      }
      return; // or it starts for ever
    }
    if (server.broker && server.unclean) {
      server.segments = chance.between(3, 60);
      server.recovery =
          swarm.slowRecoveries() ? chance.millis(60_000, 400_000) : chance.millis(2_000, 60_000);
      server.become(State.RECOVERING, time.now());
      caughtUpLater(server, life);
      time.after(server.recovery, () -> up(server, life));
    } else {
      up(server, life);
    }
  }

  private void up(SimServer server, int life) {
    if (server.life != life) {
      return;
    }
    leaveInSyncSets(server); // a new registration ends the old one
    if (server.unclean) {
      partitions.forEach(partition -> partition.distrust(server.id));
      server.unclean = false;
    }
    server.fenced = server.broker;
    server.become(State.UP, time.now());
    caughtUpLater(server, life);
    if (server.broker) {
      time.after(chance.millis(100, 3_000), () -> unfenced(server, life));
    }
  }

  private void unfenced(SimServer server, int life) {
    if (server.life == life) {
      server.fenced = false;
      catchUpLater(server, life);
    }
  }

  private void caughtUpLater(SimServer server, int life) {
    if (!server.controller || server.caughtUp) {
      return;
    }
    time.after(
        chance.millis(200, 8_000),
        () -> {
          if (server.life == life) {
            server.caughtUp = true;
            electLater();
          }
        });
  }

  /** Follows its leaders until it is in sync in all that have one. */
  void catchUpLater(SimServer server, int life) {
    time.after(
        chance.millis(500, 15_000),
        () -> {
          if (server.life == life && server.serves()) {
            boolean all = true;
            for (SimPartition partition : partitions) {
              all &= !partition.has(server.id) || partition.join(server.id, serving());
            }
            if (!all) {
              catchUpLater(server, life);
            }
          }
        });
  }

  /** Stops cleanly, if it is well, and starts again. */
  void restart(SimServer server) {
    if (server.state == State.DOWN) {
      server.staysDown = false;
      start(server);
      return;
    }
    int life = ++server.life;
    server.become(State.STOPPING, time.now());
    leaveInSyncSets(server);
    leaveQuorum(server);
    time.after(
        chance.millis(200, 5_000),
        () -> {
          if (server.life == life) {
            stopped(server);
          }
        });
  }

  private void stopped(SimServer server) {
    int life = ++server.life;
    server.process = time.now();
    server.become(State.DOWN, time.now());
    time.after(
        chance.millis(100, 2_000),
        () -> {
          if (server.life == life) {
            start(server);
          }
        });
  }

  void crash(SimServer server, boolean staysDown) {
    trace.note(time.now() + " crashes " + server);
    int life = ++server.life;
    server.unclean = true;
    server.staysDown = staysDown;
    server.troubled = time.now();
    server.process = time.now();
    server.become(State.DOWN, time.now());
    leaveQuorum(server);
    time.after(
        SESSION_TIMEOUT,
        () -> {
          if (!server.serves()) {
            leaveInSyncSets(server);
          }
        });
    time.after(
        chance.millis(1_000, 20_000),
        () -> {
          if (server.life == life && !server.staysDown) {
            start(server);
          }
        });
  }

  private void leaveInSyncSets(SimServer server) {
    if (server.broker) {
      partitions.forEach(partition -> partition.leave(server.id));
    }
  }

  // --- the quorum

  private void leaveQuorum(SimServer server) {
    if (!server.controller) {
      return;
    }
    if (server.caughtUp) {
      server.caughtUp = false;
      server.caughtUpAt = time.now();
    }
    if (leader == server.id) {
      leader = -1;
      electLater();
    }
  }

  void electLater() {
    if (leader < 0) {
      time.after(chance.millis(200, 2_000), this::elect);
    }
  }

  private void elect() {
    if (leader >= 0) {
      return;
    }
    List<SimServer> votes = servers.stream().filter(SimServer::votes).toList();
    boolean majority = votes.size() >= voters() / 2 + 1;
    // The log of whoever was caught up last holds all that was committed.
    List<SimServer> fit = votes.stream().filter(server -> server.caughtUp).toList();
    if (majority) {
      SimServer elected = chance.oneOf(fit.isEmpty() ? votes : fit);
      leader = elected.id;
      elected.caughtUp = true;
      trace.note(time.now() + " leads " + leader);
    }
  }

  void lag(SimServer voter, Duration how) {
    if (voter.votes() && voter.caughtUp && leader != voter.id) {
      int life = voter.life;
      voter.caughtUp = false;
      voter.caughtUpAt = time.now();
      voter.troubled = time.now();
      time.after(
          how,
          () -> {
            if (voter.life == life) {
              voter.caughtUp = true;
            }
          });
    }
  }

  Instant caughtUpAt(SimServer voter) {
    return voter.caughtUp && voter.votes() ? time.now() : voter.caughtUpAt;
  }
}
