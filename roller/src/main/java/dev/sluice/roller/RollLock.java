package dev.sluice.roller;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The right to act on one Kafka cluster, among all rollers of this machine: a lock of the operating
 * system on a file in the cluster's folder, gone with the process that holds it.
 */
public final class RollLock implements Closeable {

  private static final int OWNER_MAX_BYTES = 256;

  private final FileChannel channel;

  private RollLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes it, or answers that somebody else has it.
   *
   * @param folder of the cluster, by its id; made when it is missing
   * @throws HeldException if another roller acts on the cluster
   */
  public static RollLock take(Path folder) throws IOException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      Optional<FileLock> lock = lock(channel);
      if (lock.isEmpty()) {
        String owner = owner(channel);
        channel.close();
        throw new HeldException(
            "expected that nobody else rolls this cluster, found another roller ("
                + owner
                + "); wait for it, or stop it");
      }
      String me = "process " + ProcessHandle.current().pid();
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(me.getBytes(StandardCharsets.UTF_8)), 0);
      return new RollLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static Optional<FileLock> lock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException _) {
      return Optional.empty(); // another one of this very process
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(OWNER_MAX_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Another roller acts on the cluster. */
  public static final class HeldException extends IOException {
    private static final long serialVersionUID = 1L;

    HeldException(String message) {
      super(message);
    }
  }
}
