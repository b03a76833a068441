package io.tributary.faults.site;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper on loopback, in this process; it keeps what it knows in a folder while it is down. */
public final class ZooKeeperServer implements AutoCloseable {
    private static final int TICK_MILLIS = 200;
    private static final int ANY = -1;

    private final TestingServer server;

    ZooKeeperServer(Path folder) {
        InstanceSpec spec = new InstanceSpec(folder.toFile(), ANY, ANY, ANY, false, ANY, TICK_MILLIS, ANY);
        try {
            server = new TestingServer(spec, true);
        } catch (Exception e) {
            throw new IllegalStateException("cannot start ZooKeeper in " + folder, e);
        }
    }

    int port() {
        return server.getPort();
    }

    /** Ends it; its clients' connections break. */
    public void stop() throws IOException {
        server.stop();
    }

    /** Starts it again with what it knew, at the same port. */
    public void start() {
        try {
            server.restart();
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not start again", e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot end ZooKeeper", e);
        }
    }
}
