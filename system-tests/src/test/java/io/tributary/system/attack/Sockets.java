package io.tributary.system.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Connections of clients that violate protocols or waste resources. */
final class Sockets {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int MOST_GARBAGE = 4096;

    private Sockets() {}

    /** Writes the same bytes repeatedly for some time, and reads nothing; ends earlier if the other side closes the connection. */
    static void floodWithoutReading(int port, byte[] bytes, Duration length) throws IOException {
        long end = System.nanoTime() + length.toNanos();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try (SocketChannel channel = SocketChannel.open(address(port));
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
            while (System.nanoTime() < end && isSent(channel, buffer)) {
                selector.select(100);
                selector.selectedKeys().clear();
                if (!buffer.hasRemaining()) {
                    buffer.rewind();
                }
            }
        }
    }

    private static boolean isSent(SocketChannel channel, ByteBuffer buffer) {
        try {
            channel.write(buffer);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** Opens so many connections, sends nothing on them, and closes them together; refused connections count too. */
    static void idle(int port, int count) throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket();
                open.add(socket);
                try {
                    socket.connect(address(port), TIMEOUT_MILLIS);
                } catch (IOException refused) {
                    socket.close();
                }
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** Sends random bytes on so many connections, one after another, and closes each immediately. */
    static void garbage(int port, int count, Random random) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[random.nextInt(MOST_GARBAGE)];
            random.nextBytes(bytes);
            try (Socket socket = new Socket()) {
                socket.connect(address(port), TIMEOUT_MILLIS);
                isWritten(socket, bytes);
            }
        }
    }

    /** Sends a request and returns all bytes until the other side closes the connection. */
    static byte[] answer(int port, byte[] request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address(port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request);
            return socket.getInputStream().readAllBytes();
        }
    }

    /** Writes bytes; false if the other side has closed the connection. */
    static boolean isWritten(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
