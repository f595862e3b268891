package dev.sluice.proxy.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What everybody can see of a certificate who is shown it.
 *
 * @param subject its distinguished name (RFC 2253)
 * @param issuer the same of who signed it
 * @param names hosts and addresses that it is for; at most {@value #MOST_NAMES}
 * @param notBefore from when it is good
 * @param notAfter until when
 */
public record ShownCertificate(
    String subject, String issuer, List<String> names, Instant notBefore, Instant notAfter) {

  /** The number of names that are told. */
  public static final int MOST_NAMES = 100;

  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  public ShownCertificate {
    names = List.copyOf(names);
  }

  static ShownCertificate of(X509Certificate certificate) {
    return new ShownCertificate(
        certificate.getSubjectX500Principal().getName(),
        certificate.getIssuerX500Principal().getName(),
        names(certificate),
        certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant());
  }

  private static List<String> names(X509Certificate certificate) {
    var names = new ArrayList<String>();
    try {
      var alternatives = certificate.getSubjectAlternativeNames();
      for (var each : alternatives == null ? List.<List<?>>of() : alternatives) {
        if (each.get(0) instanceof Integer kind
            && (kind == DNS || kind == ADDRESS)
            && names.size() < MOST_NAMES) {
          names.add(String.valueOf(each.get(1)));
        }
      }
    } catch (CertificateParsingException _) {
      // Nobody can read them: it is for no name.
    }
    return names;
  }
}
