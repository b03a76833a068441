package io.tributary.system.attack;

import io.tributary.testkit.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The attacks of a reader that may log in and uses as much as it can get. */
public final class SessionAttacks {
    private static final int SESSIONS = 30;
    private static final int IDLE = 1023;
    /** The default of serve.user-connections. */
    private static final int OF_ONE_USER = 256;
    /** Variables of each session; together they need several times the memory that all sessions may use. */
    private static final int VARIABLES = 39;

    private static final int VALUE = 100_000;
    private static final int AUTH_SWITCH = 0xfe;
    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final int COM_QUERY = 3;
    private static final int COM_BINLOG_DUMP_GTID = 0x1e;
    private static final int COM_STMT_PREPARE = 0x16;
    private static final int COM_STMT_SEND_LONG_DATA = 0x18;
    /** MySQL's errors for values that are too large for the session, for a statement or for a result, and for too many sessions. */
    private static final Set<Integer> TOO_MUCH = Set.of(1117, 1153, 1301, 3170, 1064, 4031, 1226, 1040);

    private final int port;
    private final String user;
    private final String password;
    private final Random random;

    public SessionAttacks(int port, String user, String password, long seed) {
        this.port = port;
        this.user = user;
        this.password = password;
        this.random = new Random(seed);
    }

    /** @param replica UUID of a replica of another user */
    public List<Attack> all(String replica) {
        byte[] variables = RawClient.packet(0, statement("SHOW GLOBAL VARIABLES"));
        return List.of(
                new Attack("values that double", this::growingValues),
                new Attack("variables of many sessions", this::manyVariables),
                new Attack("parts of long values in many sessions", this::longData),
                new Attack("answers that are not read", () -> answersUnread(variables)),
                new Attack("long statements", this::longStatements),
                new Attack("a dump under another's UUID", () -> dumpAs(replica)),
                new Attack("garbage for MySQL", () -> Sockets.garbage(port, SESSIONS * 10, random)),
                new Attack("odd logins", this::oddLogins));
    }

    private static byte[] statement(String sql) {
        return command(COM_QUERY, sql.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] command(int number, byte[] rest) {
        byte[] payload = new byte[rest.length + 1];
        payload[0] = (byte) number;
        System.arraycopy(rest, 0, payload, 1, rest.length);
        return payload;
    }

    /** Runs a statement without rows and returns its error number; 0 if it succeeded. */
    private static int run(Socket socket, String sql) throws IOException {
        socket.getOutputStream().write(RawClient.packet(0, statement(sql)));
        return RawClient.error(RawClient.answer(socket.getInputStream()));
    }

    private static void requireTooMuch(int error, String what) {
        if (!TOO_MUCH.contains(error)) {
            throw new IllegalStateException(what + ": expected an error of " + TOO_MUCH + ", got " + error);
        }
    }

    private void growingValues() throws IOException {
        try (Socket socket = RawClient.login(port, user, password)) {
            run(socket, "SET @a = '" + "x".repeat(VALUE) + "'");
            int error = 0;
            for (int i = 0; i < 40 && error == 0; i++) {
                error = run(socket, "SET @a = CONCAT(@a, @a)");
            }
            requireTooMuch(error, "CONCAT(@a, @a)");
            run(socket, "SET @a = '" + "x".repeat(VALUE) + "'");
            requireTooMuch(run(socket, "SET @b = CONCAT(" + "@a,".repeat(99) + "@a)"), "CONCAT of 100 arguments");
        }
    }

    private void manyVariables() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        int refused = 0;
        try {
            for (int session = 0; session < SESSIONS; session++) {
                Socket socket = RawClient.login(port, user, password);
                sockets.add(socket);
                for (int i = 0; i < VARIABLES; i++) {
                    int error = run(socket, "SET @v" + i + " = '" + "x".repeat(VALUE) + "'");
                    if (error != 0) {
                        requireTooMuch(error, "the variables of " + (session + 1) + " sessions");
                        refused++;
                    }
                }
            }
        } finally {
            close(sockets);
        }
        if (refused == 0) {
            throw new IllegalStateException("expected a limit for the memory of sessions, found none");
        }
    }

    private void longData() throws IOException {
        byte[] part = new byte[VALUE];
        part[0] = 1;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(RawClient.packet(0, command(COM_STMT_PREPARE, "SELECT ?".getBytes(StandardCharsets.UTF_8))));
        for (int i = 0; i < 50; i++) {
            all.writeBytes(RawClient.packet(0, command(COM_STMT_SEND_LONG_DATA, part)));
        }
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int session = 0; session < SESSIONS; session++) {
                Socket socket = RawClient.login(port, user, password);
                sockets.add(socket);
                Sockets.isWritten(socket, all.toByteArray());
            }
        } finally {
            close(sockets);
        }
    }

    private void answersUnread(byte[] statement) throws IOException {
        try (Socket socket = RawClient.login(port, user, password)) {
            long end = System.nanoTime() + LENGTH.toNanos();
            Thread writer = new Thread(() -> {
                while (System.nanoTime() < end && Sockets.isWritten(socket, statement)) {
                    Thread.onSpinWait();
                }
            });
            writer.start();
            join(writer, LENGTH);
        }
    }

    /** Waits for the length of an attack; a thread that still writes ends when its socket is closed. */
    private static void join(Thread writer, Duration length) {
        try {
            writer.join(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void longStatements() throws IOException {
        String many = "1,".repeat(1_000_000);
        for (String sql : List.of(
                "SELECT " + many + "1",
                "SELECT " + "(".repeat(1_000_000),
                "SELECT GTID_SUBSET('" + gtids(1_000_000) + "', '')",
                "SELECT " + "1,".repeat(400_000) + "1",
                "SELECT GTID_SUBSET('" + gtids(60_000) + "', '" + gtids(20_000) + "')",
                "SET @a=1" + ",@a=1".repeat(150_000))) {
            try (Socket socket = RawClient.login(port, user, password)) {
                byte[] packet = RawClient.packet(0, statement(sql));
                if (Sockets.isWritten(socket, packet)) {
                    answerOrEnd(socket);
                }
            }
        }
    }

    /** Reads the answer. A packet that is too large is answered with an error, and the connection may be closed before the error is read. */
    private static void answerOrEnd(Socket socket) {
        try {
            RawClient.answer(socket.getInputStream());
        } catch (IOException ended) {
            // as MySQL does with packets beyond max_allowed_packet
        }
    }

    private static String gtids(int intervals) {
        StringBuilder text = new StringBuilder("11111111-2222-3333-4444-555555555555");
        for (int i = intervals; i > 0; i--) {
            text.append(':').append(2 * i);
        }
        return text.toString();
    }

    private void dumpAs(String replica) throws IOException {
        for (int i = 0; i < 20; i++) {
            try (Socket socket = RawClient.login(port, user, password)) {
                run(socket, "SET @source_binlog_checksum = 'CRC32', @slave_uuid = '" + replica + "'");
                ByteBuffer dump = ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN);
                dump.putShort((short) 0)
                        .putInt(4711)
                        .putInt(0)
                        .putLong(4)
                        .putInt(8)
                        .putLong(0);
                socket.getOutputStream().write(RawClient.packet(0, command(COM_BINLOG_DUMP_GTID, dump.array())));
                int error = RawClient.error(RawClient.answer(socket.getInputStream()));
                if (error == 0) {
                    throw new IllegalStateException("expected a dump under another user's UUID to be refused");
                }
            }
        }
    }

    /**
     * Opens sessions and leaves them idle until the limit of their user refuses one.
     *
     * @param user has no other sessions
     */
    public static void idleSessions(int port, String user, String password) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                sockets.add(RawClient.login(port, user, password));
            }
            throw new IllegalStateException("expected a limit of one user's sessions, found none of " + IDLE);
        } catch (IOException refused) {
            if (sockets.size() > OF_ONE_USER) { // fewer while the server still closes those of the round before
                throw new IOException("expected at most " + OF_ONE_USER + " sessions, got " + sockets.size(), refused);
            }
        } finally {
            close(sockets);
        }
    }

    private void oddLogins() throws IOException {
        byte[] empty = RawClient.answerToHello(port, RawClient.CAPABILITIES, user, "");
        if ((empty[0] & 0xff) != AUTH_SWITCH) {
            throw new IllegalStateException("empty plugin name: expected AuthSwitchRequest, got " + (empty[0] & 0xff)
                    + " " + RawClient.error(empty));
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
