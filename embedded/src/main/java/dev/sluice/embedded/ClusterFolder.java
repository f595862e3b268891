package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Where a cluster lives on disk: the supervisor's address, the cluster id, and one folder per
 * server. It is all that a second process needs to attach.
 */
record ClusterFolder(Path root) {

  private static final String SERVER_PREFIX = "server-";
  private static final String CLUSTER_ID = "cluster.id";

  ServerFolder server(int id) {
    return new ServerFolder(id, root.resolve(SERVER_PREFIX + id));
  }

  /** Port and token of the supervisor; readable by the owner of the folder only. */
  Path supervisorAddress() {
    return root.resolve("supervisor.properties");
  }

  Path supervisorLog() {
    return root.resolve("supervisor.log");
  }

  void writeClusterId(String clusterId) {
    Properties properties = new Properties();
    properties.setProperty(CLUSTER_ID, clusterId);
    PropertiesFile.write(clusterFile(), properties);
  }

  String clusterId() {
    return PropertiesFile.required(clusterFile(), CLUSTER_ID);
  }

  /** The folders of all servers, in the order of their ids. */
  List<ServerFolder> servers() {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith(SERVER_PREFIX))
          .map(name -> server(Integer.parseInt(name.substring(SERVER_PREFIX.length()))))
          .sorted(Comparator.comparingInt(ServerFolder::id))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Expected the folder of a cluster at " + root, e);
    }
  }

  /** Removes a folder and all that is in it; what is not there is no error. */
  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private Path clusterFile() {
    return root.resolve("cluster.properties");
  }
}
