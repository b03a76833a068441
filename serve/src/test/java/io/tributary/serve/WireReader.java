package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A reader that implements the protocol byte by byte on a socket: with flags, names and answers that no library sends. */
final class WireReader implements AutoCloseable {
    private static final int CAPABILITIES = 0x0008_8201; // long password, protocol 4.1, secure connection, plugins
    private static final int EVENT_AT = 1;

    private final Socket socket;
    private final DataInputStream in;
    private int sequence;
    private boolean semiSync;

    /** A received packet: an event (with checksum), an error, or the end. */
    record Packet(int kind, boolean acknowledged, ByteBuffer bytes) {
        boolean isEnd() {
            return kind == 0xfe;
        }

        int errorNumber() {
            assertEquals(
                    0xff, kind, () -> "expected an error, found " + (kind == 0 ? EventType.name(type()) : "an end"));
            return bytes.getShort(0) & 0xffff;
        }

        String error() {
            return new String(bytes.array(), bytes.arrayOffset() + 8, bytes.limit() - 8, StandardCharsets.UTF_8);
        }

        int type() {
            assertEquals(0, kind, () -> "expected an event, found " + (isEnd() ? "the end" : error()));
            return EventHeader.type(bytes, 0);
        }

        boolean isHeartbeat() {
            return type() == EventType.HEARTBEAT_LOG_EVENT || type() == EventType.HEARTBEAT_LOG_EVENT_V2;
        }

        long gno() {
            return GtidEvent.gno(bytes, 0);
        }
    }

    WireReader(int port) throws IOException, GeneralSecurityException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
        login("reader", "secret");
    }

    /** A reader that supports checksums, as all current ones do. */
    static WireReader of(int port) throws IOException, GeneralSecurityException {
        return new WireReader(port).query("SET @source_binlog_checksum = 'CRC32'");
    }

    private void login(String user, String password) throws IOException, GeneralSecurityException {
        ByteBuffer greeting = payload();
        int at = 1;
        while (greeting.get(at) != 0) {
            at++;
        }
        at += 5;
        byte[] nonce = new byte[20];
        greeting.get(at, nonce, 0, 8);
        greeting.get(at + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10, nonce, 8, 12);
        ByteBuffer hello = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        hello.putInt(CAPABILITIES).putInt(1 << 30).put((byte) 45).put(new byte[23]);
        hello.put(user.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
        byte[] proof = proof(password, nonce);
        hello.put((byte) proof.length).put(proof);
        hello.put("caching_sha2_password".getBytes(StandardCharsets.UTF_8)).put((byte) 0);
        packet(1, Arrays.copyOf(hello.array(), hello.position()));
        sequence = 2;
        ByteBuffer answer = payload();
        assertEquals(1, answer.get(0), "fast path");
        assertEquals(3, answer.get(1), "fast path");
        assertEquals(0, payload().get(0), "OK");
    }

    private static byte[] proof(String password, byte[] nonce) throws GeneralSecurityException {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] once = sha.digest(password.getBytes(StandardCharsets.UTF_8));
        sha.update(sha.digest(once));
        byte[] mask = sha.digest(nonce);
        for (int i = 0; i < once.length; i++) {
            once[i] ^= mask[i];
        }
        return once;
    }

    private void packet(int id, byte[] payload) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(4 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(payload.length | id << 24).put(payload);
        socket.getOutputStream().write(out.array());
    }

    private void command(byte[] payload) throws IOException {
        packet(0, payload);
        sequence = 1;
    }

    /** Sends a statement that must be answered with OK. */
    WireReader query(String sql) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(3);
        out.writeBytes(sql.getBytes(StandardCharsets.UTF_8));
        command(out.toByteArray());
        assertEquals(0, payload().get(0), sql);
        return this;
    }

    /** Requests a table's columns: name and type of each, then EOF; or the error's number. */
    List<String> fields(String table, String like) throws IOException {
        command(("\u0004" + table + "\0" + like).getBytes(StandardCharsets.UTF_8));
        List<String> fields = new ArrayList<>();
        while (true) {
            ByteBuffer packet = payload();
            int kind = packet.get(0) & 0xff;
            if (kind == 0xff) {
                fields.add("ERR " + (packet.getShort(1) & 0xffff));
                return fields;
            }
            if (kind == 0xfe) {
                fields.add("EOF");
                return fields;
            }
            int name = 4 + 1 + 1 + 1; // "def", and nothing three times
            String text = new String(
                    packet.array(), packet.arrayOffset() + name + 1, packet.get(name), StandardCharsets.UTF_8);
            int fixed = name + 1 + packet.get(name) + 1 + 1;
            assertEquals(0xfb, packet.get(packet.limit() - 1) & 0xff, "a missing default value");
            fields.add(text + ":" + (packet.get(fixed + 6) & 0xff));
        }
    }

    WireReader semiSync() throws IOException {
        query("SET @rpl_semi_sync_replica = 1, @rpl_semi_sync_slave = 1");
        semiSync = true;
        return this;
    }

    WireReader dump(int flags, long serverId, String file, long position) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(11 + file.length()).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 0x12).putInt((int) position).putShort((short) flags).putInt((int) serverId);
        command(out.put(file.getBytes(StandardCharsets.UTF_8)).array());
        return this;
    }

    WireReader dumpGtid(int flags, long serverId, String file, byte[] set) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(23 + file.length() + set.length).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 0x1e).putShort((short) flags).putInt((int) serverId).putInt(file.length());
        out.put(file.getBytes(StandardCharsets.UTF_8))
                .putLong(4)
                .putInt(set.length)
                .put(set);
        command(out.array());
        return this;
    }

    /** Acknowledges an event. */
    void acknowledge(String file, long position) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(9 + file.length()).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 0xef).putLong(position).put(file.getBytes(StandardCharsets.UTF_8));
        packet(0, out.array());
    }

    /** The next packet of the dump; its id must be the one that follows. */
    Packet next() throws IOException {
        ByteBuffer payload = payload();
        int kind = payload.get(0) & 0xff;
        int at = EVENT_AT;
        boolean acknowledged = false;
        if (kind == 0 && semiSync) {
            assertEquals(0xef, payload.get(1) & 0xff);
            acknowledged = payload.get(2) == 1;
            sequence = acknowledged ? 1 : sequence; // both sides count the acknowledgement as a command
            at += 2;
        }
        ByteBuffer bytes = payload.slice(at, payload.limit() - at).order(ByteOrder.LITTLE_ENDIAN);
        if (kind == 0) {
            assertEquals(bytes.limit(), EventHeader.size(bytes, 0), "the event fills its packet");
        }
        return new Packet(kind, acknowledged, bytes);
    }

    /** The next packet with an event of this type; skips others. */
    Packet next(int type) throws IOException {
        Packet packet = next();
        while (packet.type() != type) {
            packet = next();
        }
        return packet;
    }

    /** Reads up to this transaction and returns its packet. */
    Packet untilGno(long gno) throws IOException {
        Packet packet = next(EventType.GTID_LOG_EVENT);
        while (packet.gno() != gno) {
            packet = next(EventType.GTID_LOG_EVENT);
        }
        return packet;
    }

    /** Whether the server has closed the connection and nothing is left to read. */
    boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    /** Sets the timeout of {@link #next()}. */
    void timeoutMillis(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    private ByteBuffer payload() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int length;
        do {
            int header = Integer.reverseBytes(in.readInt());
            length = header & 0xffffff;
            assertEquals(sequence, header >>> 24, "sequence id");
            sequence = sequence + 1 & 0xff;
            whole.writeBytes(in.readNBytes(length));
        } while (length == 0xffffff);
        return ByteBuffer.wrap(whole.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
