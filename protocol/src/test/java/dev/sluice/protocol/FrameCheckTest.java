package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FrameCheckTest {

  private static final int MAX_FRAME_BYTES = 100 << 20;

  @Test
  void a_tls_client_on_a_plain_gateway_is_told_what_to_set() {
    assertThat(request(hex(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3)))
        .isEqualTo(
            "expected a Kafka request, found a TLS handshake: the client speaks TLS, this gateway is"
                + " plain; set security.protocol=PLAINTEXT (or SASL_PLAINTEXT) in the client");
    assertThat(request(hex(0x16, 3, 1))).contains("TLS handshake");
  }

  @Test
  void other_protocols_are_named() {
    assertThat(request(text("GET /metrics HTTP/1.1\r\n"))).contains("an HTTP request");
    assertThat(request(text("PRI * HTTP/2.0\r\n\r\n"))).contains("an HTTP request");
    assertThat(request(text("DELE"))).contains("an HTTP request");
    assertThat(request(text("SSH-2.0-OpenSSH_9.6\r\n"))).contains("an SSH banner");
    assertThat(request(text("PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n")))
        .contains("PROXY protocol header (version 1)");
    assertThat(request(hex(0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a)))
        .contains("PROXY protocol header (version 2)");
  }

  @Test
  void nothing_is_advised_that_cannot_be_configured() {
    assertThat(request(text("PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n")))
        .endsWith("turn the PROXY protocol off at the load balancer");
    assertThat(response(hex(0x15, 3, 3, 0, 2, 2, 70))).endsWith("name a plain listener");
  }

  @Test
  void a_wrong_length_is_told_with_its_bound() {
    assertThat(request(Unpooled.buffer().writeInt(-2)))
        .contains("a negative frame length (0xfffffffe)");
    assertThat(request(Unpooled.buffer().writeInt(0)))
        .contains("a frame of 0 bytes, less than the 8 of a header");
    assertThat(request(Unpooled.buffer().writeInt(MAX_FRAME_BYTES + 1)))
        .contains(
            "a frame of 104857601 bytes (0x06400001), more than the bound of 104857600 (maxFrameSize)");
  }

  @Test
  void an_unknown_api_or_version_is_told_with_what_is_offered() {
    assertThat(request(head(52, 0))).contains("API key 52, which is not offered to clients");
    assertThat(request(head(0, 2))).contains("Produce version 2, offered are 3 to 13");
    assertThat(request(head(0, 9)))
        .contains("Produce version 9 with a header that cannot be parsed");
  }

  @Test
  void an_upstream_that_is_no_plain_kafka_listener_is_named() {
    assertThat(response(hex(0x15, 3, 3, 0, 2, 2, 70)))
        .startsWith(
            "expected a Kafka response, found a TLS alert: the broker's listener expects TLS");
    assertThat(response(text("HTTP/1.1 400 Bad Request\r\n"))).contains("an HTTP response");
    assertThat(response(text("SSH-2.0-x\r\n"))).contains("an SSH banner");
    assertThat(response(Unpooled.buffer().writeInt(3)))
        .contains("a frame of 3 bytes, less than the 4 of a header");
    assertThat(response(Unpooled.buffer().writeInt(-1))).contains("a negative frame length");
  }

  @Test
  void no_sentence_repeats_what_was_sent() {
    var secret = "GET /?password=hunter2 HTTP/1.1";
    assertThat(request(text(secret))).doesNotContain("hunter2");
    assertThat(request(text("hunter2hunter2hunter2"))).doesNotContain("hunter2");
  }

  @Test
  void no_prefix_of_anything_is_too_short_to_be_described() {
    for (var bytes :
        new ByteBuf[] {text("GET / HTTP"), hex(0x16, 3, 1, 2, 0), head(0, 9), text("PROXY TCP4")}) {
      for (var there = 0; there <= bytes.writerIndex(); there++) {
        assertThat(FrameCheck.unlikeRequest(bytes, 0, there, MAX_FRAME_BYTES)).isNotBlank();
        assertThat(FrameCheck.unlikeResponse(bytes, 0, there, MAX_FRAME_BYTES)).isNotBlank();
      }
    }
  }

  private static String request(ByteBuf in) {
    return FrameCheck.unlikeRequest(in, 0, in.writerIndex(), MAX_FRAME_BYTES);
  }

  private static String response(ByteBuf in) {
    return FrameCheck.unlikeResponse(in, 0, in.writerIndex(), MAX_FRAME_BYTES);
  }

  private static ByteBuf head(int key, int version) {
    return Unpooled.buffer().writeInt(100).writeShort(key).writeShort(version).writeInt(1);
  }

  private static ByteBuf text(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static ByteBuf hex(int... bytes) {
    var in = Unpooled.buffer();
    for (var b : bytes) {
      in.writeByte(b);
    }
    return in;
  }
}
