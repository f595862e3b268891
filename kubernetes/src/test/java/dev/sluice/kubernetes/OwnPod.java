package dev.sluice.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pod finds around it: where the API server is, and the files of its account. As properties
 * of this process, which are what they were before when it is closed.
 */
final class OwnPod implements AutoCloseable {

  private final Map<String, @Nullable String> before = new HashMap<>();
  private final Path token;

  OwnPod(Path folder, String token, String host, int port) throws IOException {
    this.token = Files.writeString(folder.resolve("token"), token);
    set("kubernetes.auth.tryKubeConfig", "false");
    set("KUBERNETES_SERVICE_HOST", host);
    set("KUBERNETES_SERVICE_PORT", Integer.toString(port));
    set("kubernetes.auth.serviceAccount.token", this.token.toString());
    set(
        "kubenamespace",
        Files.writeString(folder.resolve("namespace"), SimKubelet.NAMESPACE).toString());
  }

  /** Whom this pod believes to be its API server. */
  OwnPod certificates(Path file) {
    set("kubernetes.certs.ca.file", file.toString());
    return this;
  }

  /** The API server is elsewhere, and speaks no TLS. */
  OwnPod plain(String url) {
    set("kubernetes.master", url);
    return this;
  }

  /** As the kubelet does every hour. */
  void rotate(String next) throws IOException {
    Files.writeString(token, next);
  }

  private void set(String property, String value) {
    before.put(property, System.setProperty(property, value));
  }

  @Override
  public void close() {
    before.forEach(
        (property, value) -> {
          if (value == null) {
            System.clearProperty(property);
          } else {
            System.setProperty(property, value);
          }
        });
  }
}
