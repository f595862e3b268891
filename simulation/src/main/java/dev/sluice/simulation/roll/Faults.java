package dev.sluice.simulation.roll;

import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.roll.SimServer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What goes wrong, and what people do, at times that a seed decides. */
final class Faults {

  private final SimCluster cluster;
  private final Swarm swarm;
  private final Chance chance;
  private final VirtualTime time;
  private boolean on = true;
  private int revision;

  Faults(SimCluster cluster) {
    this.cluster = cluster;
    this.swarm = cluster.swarm;
    this.chance = cluster.chance;
    this.time = cluster.time;
  }

  void begin() {
    newRevision();
    next();
  }

  private void next() {
    time.after(
        chance.millis(500, 20_000),
        () -> {
          if (on) {
            one();
            next();
          }
        });
  }

  private void one() {
    SimServer server = chance.oneOf(cluster.servers);
    Instant now = time.now();
    switch (chance.between(0, 11)) {
      case 0, 1 -> crash(server);
      case 2 -> silenceAgent(server, now);
      case 3 -> silencePlatform(server, now);
      case 4 -> topics();
      case 5 -> reassign();
      case 6, 7 -> shrink();
      case 8 -> {
        if (swarm.votersLag() && server.controller) {
          cluster.lag(server, chance.millis(2_000, 60_000));
        }
      }
      case 9 -> newRevision();
      case 10 -> server.pendingChange = server.pendingChange || chance.onceIn(2);
      default -> oddities(server);
    }
  }

  private void crash(SimServer server) {
    if (swarm.crashes() && server.state != State.DOWN) {
      cluster.crash(server, swarm.longOutages() && chance.onceIn(3));
    }
  }

  private void silenceAgent(SimServer server, Instant now) {
    if (swarm.silentAgents() && !server.agentSilent(now)) {
      server.agentSilentSince = now;
      server.agentSilentUntil = now.plus(chance.millis(10_000, 300_000));
    }
  }

  private void silencePlatform(SimServer server, Instant now) {
    if (swarm.silentPlatforms() && !server.platformSilent(now)) {
      server.platformSilentSince = now;
      server.platformSilentUntil = now.plus(chance.millis(5_000, 60_000));
    }
  }

  private void topics() {
    if (!swarm.topicsComeAndGo()) {
      return;
    }
    if (chance.onceIn(2) && !cluster.partitions.isEmpty()) {
      cluster.partitions.remove(chance.oneOf(cluster.partitions));
    } else if (cluster.partitions.size() < 16) {
      cluster.createTopic();
    }
  }

  /** Adds a replica, which has to catch up. */
  private void reassign() {
    List<SimServer> brokers =
        cluster.servers.stream().filter(each -> each.broker && each.serves()).toList();
    if (!swarm.reassignments() || cluster.partitions.isEmpty() || brokers.isEmpty()) {
      return;
    }
    SimPartition partition = chance.oneOf(cluster.partitions);
    SimServer onto = chance.oneOf(brokers);
    if (partition.reassigning || partition.has(onto.id)) {
      return;
    }
    partition.reassigning = true;
    partition.replicas |= 1 << onto.id;
    partition.changed = time.now();
    cluster.catchUpLater(onto, onto.life);
    time.after(chance.millis(10_000, 60_000), () -> partition.reassigning = false);
  }

  /** A follower falls behind, and comes back. */
  private void shrink() {
    if (!swarm.followersLag() || cluster.partitions.isEmpty()) {
      return;
    }
    SimPartition partition = chance.oneOf(cluster.partitions);
    SimServer server = chance.oneOf(cluster.servers);
    if (partition.has(server.id) && server.serves()) {
      partition.leave(server.id);
      partition.changed = time.now();
      int life = server.life;
      time.after(
          chance.millis(5_000, 120_000),
          () -> {
            if (server.life == life) {
              cluster.catchUpLater(server, life);
            }
          });
    }
  }

  private void newRevision() {
    cluster.desire("r" + ++revision);
    if (swarm.badRevisions() && chance.onceIn(3)) {
      cluster.badRevision = cluster.desired;
    }
  }

  private void oddities(SimServer server) {
    server.stuckRevision |= swarm.stuckRevisions();
    server.refusesChanges |= swarm.refusedChanges();
  }

  /** Nothing goes wrong any more, and what was wrong is mended. */
  void heal() {
    on = false;
    Instant now = time.now();
    if (cluster.desired.equals(cluster.badRevision)) {
      cluster.desire("r" + ++revision);
    }
    for (SimServer server : cluster.servers) {
      server.agentSilentUntil = now;
      server.platformSilentUntil = now;
      server.stuckRevision = false;
      server.refusesChanges = false;
      if (server.staysDown && server.state == State.DOWN) {
        server.staysDown = false;
        cluster.start(server);
      }
    }
    cluster.partitions.forEach(partition -> partition.reassigning = false);
    cluster.electLater();
    cluster.servers.stream()
        .filter(SimServer::serves)
        .forEach(server -> cluster.catchUpLater(server, server.life));
    time.after(Duration.ofSeconds(1), cluster::electLater);
  }
}
