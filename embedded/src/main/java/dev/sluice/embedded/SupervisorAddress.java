package dev.sluice.embedded;

import java.nio.file.Path;
import java.util.Properties;

/**
 * Where a supervisor listens on loopback and what it wants to hear first.
 *
 * @param port chosen by the operating system
 * @param token a secret; the file that holds it is readable by its owner only
 * @param pid the supervisor's process
 */
record SupervisorAddress(int port, String token, long pid) {

  void write(Path file) {
    Properties properties = new Properties();
    properties.setProperty("port", Integer.toString(port));
    properties.setProperty("token", token);
    properties.setProperty("pid", Long.toString(pid));
    PropertiesFile.write(file, properties);
  }

  static SupervisorAddress read(Path file) {
    return new SupervisorAddress(
        Integer.parseInt(PropertiesFile.required(file, "port")),
        PropertiesFile.required(file, "token"),
        Long.parseLong(PropertiesFile.required(file, "pid")));
  }

  @Override
  public String toString() {
    return "SupervisorAddress[port=%d, pid=%d]".formatted(port, pid);
  }
}
