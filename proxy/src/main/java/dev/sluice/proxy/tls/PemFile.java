package dev.sluice.proxy.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file of PEM blocks (RFC 7468); text around them is overlooked.
 *
 * @param key of the configuration that names it
 */
record PemFile(String key, Path path, List<Block> blocks) {

  /** One block. */
  static final class Block {
    private final String label;
    private final byte[] content;
    private final boolean encrypted;

    private Block(String label, byte[] content, boolean encrypted) {
      this.label = label;
      this.content = content;
      this.encrypted = encrypted;
    }

    /** Such as {@code CERTIFICATE}. */
    String label() {
      return label;
    }

    byte[] content() {
      return content;
    }

    /** Whether it is in the old style, with headers, that only OpenSSL reads. */
    boolean isEncrypted() {
      return encrypted;
    }
  }

  private static final String CERTIFICATE = "CERTIFICATE";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s(.*?)-----END \\1-----", Pattern.DOTALL);

  /** Blocks: reads the file. */
  static PemFile read(String key, Path path) throws TlsMaterialException {
    try {
      var text = Files.readString(path, StandardCharsets.ISO_8859_1);
      var blocks = new ArrayList<Block>();
      for (var match : BLOCK.matcher(text).results().toList()) {
        var body = match.group(2);
        boolean encrypted = body.contains("Proc-Type: 4,ENCRYPTED");
        var content =
            encrypted ? new byte[0] : Base64.getMimeDecoder().decode(body.replaceAll("\\s", ""));
        blocks.add(new Block(match.group(1), content, encrypted));
      }
      return new PemFile(key, path, List.copyOf(blocks));
    } catch (IOException _) {
      throw TlsMaterialException.unreadable(key, path);
    } catch (IllegalArgumentException _) {
      throw TlsMaterialException.of(
          key, "a PEM file", "a block that is no Base64 in " + path, "make it anew");
    }
  }

  /** At least one, in the order of the file. */
  List<X509Certificate> certificates() throws TlsMaterialException {
    var certificates = new ArrayList<X509Certificate>();
    try {
      var factory = CertificateFactory.getInstance("X.509");
      for (var block : blocks) {
        if (block.label().equals(CERTIFICATE)) {
          var in = new ByteArrayInputStream(block.content());
          certificates.add((X509Certificate) factory.generateCertificate(in));
        }
      }
    } catch (CertificateException _) {
      throw TlsMaterialException.of(
          key, "a PEM file with certificates", "one that is broken in " + path, "make it anew");
    }
    if (certificates.isEmpty()) {
      throw TlsMaterialException.of(
          key,
          "a PEM file with certificates",
          "no block 'BEGIN CERTIFICATE' in " + path,
          "check that it is the right file, and no key store");
    }
    return certificates;
  }

  /** The first private key. */
  Optional<Block> privateKey() {
    return blocks.stream().filter(block -> block.label().endsWith("PRIVATE KEY")).findFirst();
  }
}
