package io.tributary.faults.reader;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.ClientTls;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.testkit.check.Report;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A reader of the binlog that always reconnects after it loses its connection, alternately by position and by GTID set. It checks that it receives
 * exactly the transactions that it lacks (I10) and that bytes never change (I8). It has its own thread.
 */
public final class LiveReader implements AutoCloseable {
    private static final long SERVER_ID = 4790;
    private static final int POLL_BYTES = 1 << 20;
    private static final Duration LOGIN_LIMIT = Duration.ofSeconds(2);
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MysqlClient client = new MysqlClient(group);
    private final UUID uuid = UUID.randomUUID();
    private final Endpoint endpoint;
    private final ReaderProgress progress;
    private final Thread thread;
    private volatile boolean closing;
    private final AtomicInteger connections = new AtomicInteger();

    /**
     * Starts to read from the first file.
     *
     * @param at address of the Dumper, or of a proxy before it
     * @param folder for the bytes that it receives
     */
    public LiveReader(InetSocketAddress at, MysqlUser user, Path folder) throws IOException {
        this.endpoint = new Endpoint(
                at.getAddress().getHostAddress(),
                at.getPort(),
                new Credentials(user.name(), user.password()),
                new ClientTls(TlsMode.PREFERRED, Optional.empty()),
                LOGIN_LIMIT);
        this.progress = new ReaderProgress(new ServedCopy(folder));
        this.thread = new Thread(this::run, "live-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closing) {
            try (MysqlConnection connection = client.connect(endpoint).get(2, TimeUnit.MINUTES);
                    BinlogStream stream = connection.await(connection.dump(dump()), LOGIN_LIMIT)) {
                connections.incrementAndGet();
                progress.connected();
                read(stream);
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) { // no server, a refused login, a lost connection: reconnect
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private BinlogDump dump() {
        boolean byGtid = connections.get() % 2 == 1;
        BinlogDump dump = byGtid
                ? BinlogDump.after(progress.gtids(), SERVER_ID, uuid)
                : BinlogDump.from(progress.file(), progress.position(), SERVER_ID, uuid);
        return dump.withHeartbeat(HEARTBEAT);
    }

    private void read(BinlogStream stream) {
        long lastEvent = Clock.SYSTEM.nanoTime();
        while (!closing && stream.isOpen()) {
            long now = Clock.SYSTEM.nanoTime();
            if (stream.poll(this::event, POLL_BYTES) > 0) {
                lastEvent = now;
            } else if (now - lastEvent > SILENCE_NANOS) {
                return;
            } else {
                LockSupport.parkNanos(IDLE_NANOS);
            }
        }
        if (stream.end().orElse(null) instanceof StreamEnd.Refused refused) {
            progress.refused(refused.error());
        }
    }

    private boolean event(ByteBuffer view, int at, int length) {
        progress.event(view, at, length);
        return true;
    }

    /** Sets the mark, in µs since 1970: the reader notes when it receives the first transaction that a client began to commit then or later. */
    public void mark(long epochMicros) {
        progress.mark(epochMicros);
    }

    /** When the first such transaction was received, by {@link Clock#nanoTime()}; empty if none was yet. */
    public Optional<Long> firstSinceMark() {
        return progress.firstSinceMark();
    }

    /** The GTIDs of the complete transactions that it has received. */
    public GtidSet gtids() {
        return progress.gtids();
    }

    /** The last file of which it has received bytes. */
    public String lastFile() {
        return progress.copy().lastFile();
    }

    /** The end of the bytes of a file that it has received; 0 for none. */
    public long served(String file) {
        return progress.copy().end(file);
    }

    /** The number of connections so far. */
    public int connections() {
        return connections.get();
    }

    /** I8: whether the received bytes are those of the files in this folder. */
    public Report bytes(String name, Path original) throws IOException {
        return progress.copy().against(name, original);
    }

    /** I10: whether it received exactly what it lacked after each connect. */
    public Report suffixes(String name) {
        return progress.suffixes(name);
    }

    @Override
    public void close() throws IOException {
        closing = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        progress.copy().close();
    }
}
