package io.tributary.dumper.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

/** A socket behind a login by mysql_native_password, for tests that write packets themselves. */
final class RawClient {
    private static final int CAPABILITIES = 0x0008_8201; // PLUGIN_AUTH, SECURE_CONNECTION, PROTOCOL_41, LONG_PASSWORD
    private static final int TIMEOUT_MILLIS = 20_000;

    private RawClient() {}

    static Socket login(int port, String user, String password) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        InputStream in = socket.getInputStream();
        byte[] greeting = answer(in);
        int at = new String(greeting, StandardCharsets.ISO_8859_1).indexOf('\0') + 5;
        byte[] nonce = Arrays.copyOf(Arrays.copyOfRange(greeting, at, at + 8), 20);
        System.arraycopy(greeting, at + 8 + 19, nonce, 8, 12);
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        byte[] flags = new byte[4];
        LittleEndian.putInt(ByteBuffer.wrap(flags), 0, CAPABILITIES);
        hello.writeBytes(flags);
        hello.writeBytes(new byte[28]);
        hello.writeBytes((user + "\0").getBytes(StandardCharsets.UTF_8));
        hello.write(20);
        hello.writeBytes(AuthMethod.MYSQL_NATIVE_PASSWORD.proof(password, nonce));
        hello.writeBytes("mysql_native_password\0".getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(packet(1, hello.toByteArray()));
        byte[] answer = answer(in);
        assertEquals(0, answer[0], new String(answer, StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** The payload of the next packet. */
    static byte[] answer(InputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        return in.readNBytes(header[0] & 0xff | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16);
    }

    static byte[] packet(int sequence, byte[] payload) {
        byte[] packet = new byte[payload.length + 4];
        packet[0] = (byte) payload.length;
        packet[1] = (byte) (payload.length >> 8);
        packet[2] = (byte) (payload.length >> 16);
        packet[3] = (byte) sequence;
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }
}
