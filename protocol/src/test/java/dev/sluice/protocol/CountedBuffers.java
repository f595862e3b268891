package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;

/** An allocator that knows what has not been given back. */
final class CountedBuffers {

  final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

  void allAreBack() {
    assertThat(allocator.metric().usedDirectMemory()).as("bytes not given back").isZero();
    assertThat(allocator.metric().usedHeapMemory()).as("bytes not given back").isZero();
  }
}
