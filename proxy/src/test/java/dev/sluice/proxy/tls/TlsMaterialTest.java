package dev.sluice.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.Issued;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which a file holds keys, and what is said where it cannot be used. */
class TlsMaterialTest {

  private static final String PASSWORD = "a-secret-of-ours";
  private static final String WRONG = "another-secret";

  @TempDir private static Path folder;
  private static Issued root;
  private static Issued server;
  private static Issued rsa;

  @BeforeAll
  static void issue() {
    var authority = Authority.create(folder, "ours");
    root = authority.root();
    server = authority.issue("server", "dns:localhost");
    rsa = authority.issueBy("RSA", "rsa", "dns:localhost");
  }

  // ---- what can be used ----------------------------------------------------------------------

  @Test
  void a_pair_of_pem_files() throws Exception {
    assertThat(opened(pair(server.privateKey(at("plain.key")), Optional.empty()))).isTrue();
  }

  @Test
  void a_pem_key_that_is_encrypted() throws Exception {
    assertThat(opened(pair(server.privateKey(at("encrypted.key"), PASSWORD), given(PASSWORD))))
        .isTrue();
  }

  @Test
  void an_rsa_key_as_openssl_wrote_them_formerly() throws Exception {
    var key = pkcs1(rsa.key());
    var certificates = NamedFile.now(rsa.certificates(at("rsa.crt")));

    assertThat(opened(new KeySpec.Pair(certificates, NamedFile.now(key), Optional.empty())))
        .isTrue();
  }

  @Test
  void a_pkcs12_store_and_a_jks_store() throws Exception {
    for (var type : List.of(StoreSpec.Type.PKCS12, StoreSpec.Type.JKS)) {
      var file = server.store(at("server." + type), type.name(), PASSWORD);
      var store = new StoreSpec(NamedFile.now(file), type, given(PASSWORD));

      assertThat(opened(new KeySpec.Stored(store, Optional.empty()))).as("%s", type).isTrue();
    }
  }

  @Test
  void a_password_in_a_file_ends_with_its_first_line() throws Exception {
    var passwordFile = Files.writeString(at("password"), PASSWORD + "\nwhatever\n");
    var file = server.store(at("by-file.p12"), "PKCS12", PASSWORD);
    var secret = Optional.<Secret>of(new Secret.InFile(NamedFile.now(passwordFile)));

    assertThat(
            opened(
                new KeySpec.Stored(
                    new StoreSpec(NamedFile.now(file), StoreSpec.Type.PKCS12, secret),
                    Optional.empty())))
        .isTrue();
  }

  @Test
  void trust_in_pem_pkcs12_and_jks() throws Exception {
    trusting(
        new StoreSpec(
            NamedFile.now(root.certificates(at("ca.crt"))), StoreSpec.Type.PEM, Optional.empty()));
    for (var type : List.of(StoreSpec.Type.PKCS12, StoreSpec.Type.JKS)) {
      var file = root.trustStore(at("trust." + type), type.name(), PASSWORD);
      trusting(new StoreSpec(NamedFile.now(file), type, given(PASSWORD)));
    }
  }

  @Test
  void protocols_and_cipher_suites_are_chosen() throws Exception {
    var spec =
        new TlsSpec(
            Optional.of(pair(server.privateKey(at("plain.key")), Optional.empty())),
            new TrustSpec.Platform(),
            new Choice(List.of("TLSv1.3", "TLSv1.2"), List.of("TLSv1.3")),
            new Choice(List.of("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"), List.of()));
    var engine =
        TlsMaterial.towardsClients(spec)
            .context()
            .newEngine(io.netty.buffer.ByteBufAllocator.DEFAULT);

    assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.2");
    assertThat(engine.getEnabledCipherSuites())
        .containsExactly("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
  }

  // ---- what cannot ---------------------------------------------------------------------------

  @Test
  void a_wrong_password_is_told_with_its_key_and_without_itself() {
    var store = server.store(at("closed.p12"), "PKCS12", PASSWORD);
    var spec = new StoreSpec(NamedFile.now(store), StoreSpec.Type.PKCS12, given(WRONG));

    assertThat(objection(new KeySpec.Stored(spec, Optional.empty())))
        .contains("tls.key.storePassword", "closed.p12", "does not open it")
        .doesNotContain(WRONG);
    assertThat(objection(pair(server.privateKey(at("closed.key"), PASSWORD), given(WRONG))))
        .contains("tls.key.keyPassword", "closed.key")
        .doesNotContain(WRONG);
  }

  /** Its password is {@code not-secret}; made by {@code openssl pkcs8 -topk8 -v2 des3}. */
  @Test
  void a_key_that_is_encrypted_by_what_no_jdk_knows_is_not_called_a_wrong_password()
      throws IOException {
    var key =
        Files.writeString(
            at("triple.key"),
            """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHjME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAjY0JWmdW3XoAICCAAw
            DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIxQjYbxOu/hcEgZDtD0hPSvvF/DCX
            YH70NvG2zQdiSVc8qBidyIF16pSxAvp5o9bU7BAzaRPG7XuIzLhzOkRPb5Z4/Rsn
            6yWAj1wRPQmIOrSsBt36jsX5apDr0TvWWKSTmOzqVPGww6zn0iAsne1x6YU4pKuY
            BhynTFIVkZ1iOWrCN+WhdoEkSbPHO/kQ927OkIHl/+MX/70KVh0=
            -----END ENCRYPTED PRIVATE KEY-----
            """);

    assertThat(objection(pair(key, given("not-secret"))))
        .contains("tls.key.privateKeyFile", "encrypted by AES", "openssl pkcs8 -topk8 -v2 aes")
        .doesNotContain("keyPassword");
  }

  @Test
  void a_password_that_is_lacking_is_asked_for() {
    assertThat(objection(pair(server.privateKey(at("closed.key"), PASSWORD), Optional.empty())))
        .contains("expected tls.key.keyPassword");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThat(objection(pair(at("nowhere.key"), Optional.empty())))
        .contains("tls.key.privateKeyFile", "found none", "nowhere.key");
  }

  @Test
  void a_file_of_another_kind_is_named() throws IOException {
    var nonsense = Files.writeString(at("nonsense.p12"), "nonsense");

    assertThat(
            objection(
                new KeySpec.Stored(
                    new StoreSpec(NamedFile.now(nonsense), StoreSpec.Type.PKCS12, given(PASSWORD)),
                    Optional.empty())))
        .contains("tls.key.storeFile", "PKCS12", "storeType");
    assertThat(objection(pair(nonsense, Optional.empty())))
        .contains("tls.key.privateKeyFile", "PKCS#8", "openssl pkcs8");
  }

  @Test
  void a_key_of_another_certificate_is_found_out() {
    assertThat(objection(pair(rsa.privateKey(at("other.key")), Optional.empty())))
        .contains("CN=server", "another key");
  }

  @Test
  void a_trust_store_that_trusts_nobody_is_found_out() {
    var store = server.store(at("keys-only.p12"), "PKCS12", PASSWORD);
    var spec = new StoreSpec(NamedFile.now(store), StoreSpec.Type.PKCS12, given(PASSWORD));

    assertThat(catchThrowableOfType(TlsMaterialException.class, () -> trusting(spec)))
        .hasMessageContaining("tls.trust.storeFile")
        .hasMessageContaining("trusted certificates");
  }

  @Test
  void a_protocol_that_nobody_knows_is_named() {
    var spec =
        new TlsSpec(
            Optional.empty(),
            new TrustSpec.Platform(),
            new Choice(List.of("TLSv1.9"), List.of()),
            Choice.USUAL);

    assertThat(
            catchThrowableOfType(
                TlsMaterialException.class, () -> TlsMaterial.towardsBrokers(spec)))
        .hasMessageContaining("tls.protocols.allow")
        .hasMessageContaining("'TLSv1.9'");
  }

  @Test
  void what_is_compared_tells_no_password() {
    var store = server.store(at("compared.p12"), "PKCS12", PASSWORD);
    var spec = new StoreSpec(NamedFile.now(store), StoreSpec.Type.PKCS12, given(PASSWORD));
    var tls =
        spec(Optional.of(new KeySpec.Stored(spec, given(PASSWORD))), new TrustSpec.Insecure());

    assertThat(tls.toString() + tls.material() + tls.manners()).doesNotContain(PASSWORD);
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static Path at(String name) {
    return folder.resolve(name);
  }

  private static Optional<Secret> given(String password) {
    return Optional.of(new Secret.Given(password));
  }

  private static KeySpec pair(Path key, Optional<Secret> password) {
    return new KeySpec.Pair(
        NamedFile.now(server.certificates(at("server.crt"))), NamedFile.now(key), password);
  }

  private static TlsSpec spec(Optional<KeySpec> key, TrustSpec trust) {
    return new TlsSpec(key, trust, Choice.USUAL, Choice.USUAL);
  }

  private static boolean opened(KeySpec key) throws TlsMaterialException {
    return TlsMaterial.towardsClients(spec(Optional.of(key), new TrustSpec.Platform()))
        .context()
        .isServer();
  }

  private static String objection(KeySpec key) {
    return catchThrowableOfType(TlsMaterialException.class, () -> opened(key)).sentence();
  }

  private static void trusting(StoreSpec store) throws TlsMaterialException {
    var made =
        TlsMaterial.towardsBrokers(
            spec(Optional.empty(), new TrustSpec.Stored(store, ClientAuth.REQUIRED)));
    assertThat(made.isClient()).isTrue();
  }

  /** What PKCS#8 wraps. */
  private static Path pkcs1(PrivateKey key) throws IOException {
    var pkcs8 = key.getEncoded();
    int header =
        4 + 3 + 15 + 4; // Sequence, version, algorithm, octets, each of them with its length.
    var inner = Arrays.copyOfRange(pkcs8, header, pkcs8.length);
    return Files.writeString(
        at("rsa.key"),
        "-----BEGIN RSA PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(inner)
            + "\n-----END RSA PRIVATE KEY-----\n");
  }
}
