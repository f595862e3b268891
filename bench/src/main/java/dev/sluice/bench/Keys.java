package dev.sluice.bench;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One key, with which the broker and all arms show that they are 127.0.0.1, in the ways in which
 * each of them reads it.
 *
 * @param root whom clients and arms believe, in PEM
 * @param store PKCS12
 * @param both certificates and key in one file, in PEM
 */
record Keys(Path root, Path certificates, Path privateKey, Path store, Path both) {

  /** It keeps nobody out: the folder goes with the run. */
  static final String PASSWORD = "not-secret";

  /** Makes them in a folder that is there; takes two seconds. */
  static Keys create(Path folder) throws IOException {
    Authority authority = Authority.create(folder, "bench");
    Issued issued = authority.issue("local", "ip:127.0.0.1", "dns:localhost");
    Path certificates = issued.certificates(folder.resolve("local.crt"));
    Path privateKey = issued.privateKey(folder.resolve("local.key"));
    return new Keys(
        authority.root().certificates(folder.resolve("root.pem")),
        certificates,
        privateKey,
        issued.store(folder.resolve("local.p12"), "PKCS12", PASSWORD),
        Files.writeString(
            folder.resolve("local.pem"),
            Files.readString(certificates) + Files.readString(privateKey)));
  }
}
