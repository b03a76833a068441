package io.tributary.serve;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.dump.DumpSource;
import io.tributary.serve.statement.BinlogStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The current state of the binlog and its readers. */
final class LiveStatus implements BinlogStatus {
    private final ServeOptions options;
    private final DumpSource source;
    private final Readers readers;
    private final long longestRow;
    private final String hostName;
    private final long startedNanos;
    private final AtomicLong statements = new AtomicLong();
    private volatile MysqlServer server;

    /** @param longestRow length of the longest row of a SELECT on a table, in bytes; 0 if there are none */
    LiveStatus(ServeOptions options, DumpSource source, Readers readers, long longestRow) {
        this.startedNanos = source.clock().nanoTime();
        this.options = options;
        this.source = source;
        this.readers = readers;
        this.longestRow = longestRow;
        this.hostName = hostName(options.config());
    }

    private static String hostName(ServeConfig config) {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) { // this machine does not know its own name
            return config.listen().host();
        }
    }

    /** Sets the server whose sessions are shown; once, after it has started. */
    void serve(MysqlServer started) {
        server = started;
    }

    /** Counts a statement; any thread. */
    void countStatement() {
        statements.incrementAndGet();
    }

    @Override
    public String version() {
        return options.version();
    }

    @Override
    public long serverId() {
        return source.files().here().serverId();
    }

    @Override
    public String serverUuid() {
        return source.files().here().serverUuid().toString();
    }

    @Override
    public String gtidExecuted() {
        return source.files().here().executed(source.gate().committed()).toString();
    }

    @Override
    public String gtidPurged() {
        return source.files().purged().toString();
    }

    @Override
    public int port() {
        MysqlServer started = server;
        return started == null
                ? options.config().listen().port()
                : started.address().getPort();
    }

    @Override
    public long statementBytes() {
        return options.config().limits().statement().bytes();
    }

    @Override
    public long packetBytes() {
        return Math.max(statementBytes(), longestRow);
    }

    @Override
    public long idleSeconds() {
        return options.config().limits().idle().toSeconds();
    }

    @Override
    public List<FileStatus> files() {
        List<FileStatus> list = new ArrayList<>();
        int newest = source.gate().committed().file().number();
        for (BinlogFile file : source.files().list()) {
            if (file.number() <= newest) {
                list.add(new FileStatus(file.name(), source.gate().end(file)));
            }
        }
        return list;
    }

    @Override
    public List<SessionStatus> sessions() {
        MysqlServer started = server;
        List<SessionStatus> list = new ArrayList<>();
        for (Session session : started == null ? List.<Session>of() : started.sessions()) {
            list.add(new SessionStatus(
                    session.threadId(),
                    session.user(),
                    session.peer(),
                    session.database(),
                    session.activity(),
                    session.activeSeconds(),
                    session.isDumping() ? "Source has sent all binlog to replica; waiting for more updates" : ""));
        }
        return list;
    }

    @Override
    public long uptimeSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(source.clock().nanoTime() - startedNanos);
    }

    @Override
    public boolean waitsForReplicas() {
        return source.gate().holds();
    }

    @Override
    public String hostName() {
        return hostName;
    }

    @Override
    public long binlogFileBytes() {
        return options.fileBytes();
    }

    @Override
    public boolean compression() {
        return options.config().compressed() > 0;
    }

    @Override
    public String binlogBasename() {
        BinlogFile first = source.files().here().first();
        Path folder = first.path().toAbsolutePath().getParent();
        return folder.resolve(first.name().substring(0, first.name().lastIndexOf('.')))
                .toString();
    }

    @Override
    public long statements() {
        return statements.get();
    }

    @Override
    public List<ReaderStatus> readers() {
        return readers.list();
    }
}
