package io.tributary.dumper.serve;

import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.ReadableFiles;
import io.tributary.dumper.file.BinlogFile;
import io.tributary.dumper.serve.dump.SemiSyncGate;
import io.tributary.dumper.serve.statement.BinlogStatus;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The current state of the binlog and its readers. */
final class LiveStatus implements BinlogStatus {
    private final String version;
    private final ReadableFiles served;
    private final BinlogFiles files;
    private final Readers readers;
    private final ServeConfig config;
    private final SemiSyncGate gate;
    private final Clock clock;
    private final long startedNanos;
    private final AtomicLong statements = new AtomicLong();
    private volatile MysqlServer server;

    LiveStatus(
            String version, ReadableFiles served, Readers readers, ServeConfig config, SemiSyncGate gate, Clock clock) {
        this.clock = clock;
        this.startedNanos = clock.nanoTime();
        this.version = version;
        this.served = served;
        this.files = served.here();
        this.readers = readers;
        this.config = config;
        this.gate = gate;
    }

    /** Sets the server whose sessions are shown; once, after it has started. */
    void serve(MysqlServer started) {
        server = started;
    }

    /** Counts a statement; any thread. */
    void asked() {
        statements.incrementAndGet();
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public long serverId() {
        return files.serverId();
    }

    @Override
    public String serverUuid() {
        return files.serverUuid().toString();
    }

    @Override
    public String gtidExecuted() {
        return files.executed(gate.committed()).toString();
    }

    @Override
    public String gtidPurged() {
        return served.purged().toString();
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
    public long idleSeconds() {
        return config.limits().idle().toSeconds();
    }

    @Override
    public List<FileStatus> files() {
        List<FileStatus> list = new ArrayList<>();
        int newest = gate.committed().file().number();
        for (BinlogFile file : served.list()) {
            if (file.number() <= newest) {
                list.add(new FileStatus(file.name(), gate.end(file)));
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
        return TimeUnit.NANOSECONDS.toSeconds(clock.nanoTime() - startedNanos);
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
