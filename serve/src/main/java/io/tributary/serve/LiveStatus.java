package io.tributary.serve;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.dump.DumpSource;
import io.tributary.serve.statement.BinlogStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The current state of the binlog and its readers. */
final class LiveStatus implements BinlogStatus {
    private final String version;
    private final DumpSource source;
    private final Readers readers;
    private final ServeConfig config;
    private final long longestRow;
    private final long startedNanos;
    private final AtomicLong statements = new AtomicLong();
    private volatile MysqlServer server;

    /** @param longestRow length of the longest row of a SELECT on a table, in bytes; 0 if there are none */
    LiveStatus(String version, DumpSource source, Readers readers, ServeConfig config, long longestRow) {
        this.startedNanos = source.clock().nanoTime();
        this.version = version;
        this.source = source;
        this.readers = readers;
        this.config = config;
        this.longestRow = longestRow;
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
        return version;
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
        return started == null ? config.listen().port() : started.address().getPort();
    }

    @Override
    public long statementBytes() {
        return config.limits().statement().bytes();
    }

    @Override
    public long packetBytes() {
        return Math.max(statementBytes(), longestRow);
    }

    @Override
    public long idleSeconds() {
        return config.limits().idle().toSeconds();
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
    public long statements() {
        return statements.get();
    }

    @Override
    public List<ReaderStatus> readers() {
        return readers.list();
    }
}
