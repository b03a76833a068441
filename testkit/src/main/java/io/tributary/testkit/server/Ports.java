package io.tributary.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on 127.0.0.1, below the range that the kernel gives to outgoing connections: a server that is killed finds
 * its port free again.
 */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 200;

    private Ports() {}

    /** A port that was free a moment ago; whoever binds it may still find it taken and has to ask again. */
    public static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + END);
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
