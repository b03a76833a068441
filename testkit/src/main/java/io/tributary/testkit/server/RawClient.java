package io.tributary.testkit.server;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.protocol.auth.AuthMethod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A socket after a login with mysql_native_password, for tests that write packets themselves. */
public final class RawClient {
    /** PLUGIN_AUTH, SECURE_CONNECTION, PROTOCOL_41, LONG_PASSWORD. */
    public static final int CAPABILITIES = 0x0008_8201;

    /** The same for a client that does not support authentication plugins. */
    public static final int WITHOUT_PLUGINS = 0x0000_8201;

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int NONCE_BYTES = 20;

    private RawClient() {}

    /**
     * Logs in.
     *
     * @throws IOException if the server refuses, with its message
     */
    public static Socket login(int port, String user, String password) throws IOException {
        return login(port, user, password, 0);
    }

    /**
     * As above.
     *
     * @param more capabilities in addition to the usual ones
     */
    public static Socket login(int port, String user, String password, int more) throws IOException {
        Socket socket = connect(port);
        boolean isIn = false;
        try {
            byte[] proof = AuthMethod.MYSQL_NATIVE_PASSWORD.proof(password, nonce(socket));
            byte[] answer = answer(socket, hello(CAPABILITIES | more, user, proof, "mysql_native_password"));
            if (answer.length == 0 || answer[0] != 0) {
                throw new IOException("expected a successful login, found " + text(answer));
            }
            isIn = true;
            return socket;
        } finally {
            if (!isIn) {
                socket.close();
            }
        }
    }

    /**
     * The first packet that answers a handshake response of any shape.
     *
     * @param plugin the method that the client names; only with PLUGIN_AUTH
     */
    public static byte[] answerToHello(int port, int capabilities, String user, String plugin) throws IOException {
        try (Socket socket = connect(port)) {
            byte[] nonce = nonce(socket);
            return answer(socket, hello(capabilities, user, nonce, plugin));
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static byte[] nonce(Socket socket) throws IOException {
        byte[] greeting = answer(socket.getInputStream());
        if (greeting.length == 0 || greeting[0] != 10) {
            throw new IOException("expected a greeting, found " + text(greeting));
        }
        int at = new String(greeting, StandardCharsets.ISO_8859_1).indexOf('\0') + 5;
        byte[] nonce = Arrays.copyOf(Arrays.copyOfRange(greeting, at, at + 8), NONCE_BYTES);
        System.arraycopy(greeting, at + 8 + 19, nonce, 8, 12);
        return nonce;
    }

    private static byte[] answer(Socket socket, byte[] hello) throws IOException {
        socket.getOutputStream().write(packet(1, hello));
        return answer(socket.getInputStream());
    }

    private static byte[] hello(int capabilities, String user, byte[] proof, String plugin) {
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        byte[] flags = new byte[4];
        LittleEndian.putInt(ByteBuffer.wrap(flags), 0, capabilities);
        hello.writeBytes(flags);
        hello.writeBytes(new byte[28]);
        hello.writeBytes((user + "\0").getBytes(StandardCharsets.UTF_8));
        hello.write(proof.length);
        hello.writeBytes(proof);
        if ((capabilities & CAPABILITIES) == CAPABILITIES) {
            hello.writeBytes((plugin + "\0").getBytes(StandardCharsets.UTF_8));
        }
        return hello.toByteArray();
    }

    /** The payload of the next packet. */
    public static byte[] answer(InputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        if (header.length < 4) {
            throw new IOException("expected a packet, found the end of the connection");
        }
        return in.readNBytes(header[0] & 0xff | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16);
    }

    /** A packet; the payload is shorter than 16 MiB. */
    public static byte[] packet(int sequence, byte[] payload) {
        byte[] packet = new byte[payload.length + 4];
        packet[0] = (byte) payload.length;
        packet[1] = (byte) (payload.length >> 8);
        packet[2] = (byte) (payload.length >> 16);
        packet[3] = (byte) sequence;
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }

    /** The error number in a packet; 0 if it is not an error. */
    public static int error(byte[] answer) {
        return answer.length > 2 && (answer[0] & 0xff) == 0xff ? answer[1] & 0xff | (answer[2] & 0xff) << 8 : 0;
    }

    private static String text(byte[] answer) {
        return error(answer) + " " + new String(answer, StandardCharsets.ISO_8859_1);
    }
}
