package io.tributary.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses free ports on 127.0.0.1, below the kernel's range for outgoing connections: after a kill, a server's
 * port is free again.
 *
 * <p>A port is bound some time after it was chosen. To avoid that tests in several JVMs choose the same port meanwhile, each JVM uses
 * ports one after another from its own block. A lock on a file in the cache folder reserves the block until the JVM ends.
 */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int BLOCKS = 60;
    private static final int BLOCK = 200;
    private static final Ports OWN = new Ports(CacheFolder.ofUser().entry("ports", folder -> {}));

    private final FileLock lock;
    private final int first;
    private final AtomicInteger taken = new AtomicInteger();

    /** Reserves the first block without a lock in this folder. */
    Ports(Path locks) {
        int start = (int) (ProcessHandle.current().pid() % BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            int block = (start + i) % BLOCKS;
            FileLock found = lock(locks.resolve(Integer.toString(block)));
            if (found != null) {
                lock = found;
                first = FIRST + block * BLOCK;
                return;
            }
        }
        throw new IllegalStateException(BLOCKS + " JVMs have reserved all blocks of ports: see the locks in " + locks);
    }

    /** The lock; null if another JVM has it. */
    private static FileLock lock(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException heldByThisJvm) {
                channel.close();
                return null;
            }
            channel.close();
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + file, e);
        }
    }

    /** A port that was free at this moment. If the bind fails because it is in use, call this again. */
    public static int free() {
        return OWN.next();
    }

    int next() {
        for (int i = 0; i < BLOCK; i++) {
            int port = first + Math.floorMod(taken.getAndIncrement(), BLOCK);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + first + " and " + (first + BLOCK));
    }

    /** Releases the block. */
    void release() throws IOException {
        lock.acquiredBy().close();
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
