package dev.sluice.roller;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The right to act on one Kafka cluster, among all rollers of this machine: a lock of the operating
 * system on a file in the cluster's folder, gone with the process that holds it.
 */
public final class RollLock implements Closeable {

  private static final int OWNER_MAX_BYTES = 256;

  /** Whoever rolls may belong to any user. */
  private static final Set<PosixFilePermission> FOR_ALL =
      PosixFilePermissions.fromString("rw-rw-rw-");

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
    return take(
        FileChannel.open(
            folder.resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  /**
   * The same among all rollers of this machine, wherever each keeps its journal: on a file beside
   * the temporary ones, named by the cluster.
   */
  public static RollLock ofMachine(String clusterId) throws IOException {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "sluice-roll-" + clusterId + ".lock");
    try {
      return take(openOrMake(file));
    } catch (AccessDeniedException e) {
      throw new IOException(
          "expected to lock %s, which another user made; remove it when nobody rolls this cluster"
              .formatted(file),
          e);
    }
  }

  /** Made in one step and opened in another: a kernel may forbid to make what others own. */
  private static FileChannel openOrMake(Path file) throws IOException {
    try {
      Files.createFile(file);
      Files.setPosixFilePermissions(file, FOR_ALL);
    } catch (FileAlreadyExistsException _) {
      // Somebody rolled it before, or does so now.
    }
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  private static RollLock take(FileChannel channel) throws IOException {
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
