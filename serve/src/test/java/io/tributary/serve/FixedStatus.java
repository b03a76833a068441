package io.tributary.serve;

import io.tributary.serve.statement.BinlogStatus;
import java.util.List;

/** The status of a node with two files and one reader. */
public final class FixedStatus implements BinlogStatus {
    public static final String UUID = "11111111-2222-3333-4444-555555555555";

    @Override
    public String version() {
        return "8.0.31-tributary";
    }

    @Override
    public long serverId() {
        return 4711;
    }

    @Override
    public String serverUuid() {
        return UUID;
    }

    @Override
    public String gtidExecuted() {
        return UUID + ":1-9";
    }

    @Override
    public String gtidPurged() {
        return "";
    }

    @Override
    public int port() {
        return 3307;
    }

    @Override
    public String hostName() {
        return "node-1";
    }

    @Override
    public boolean compression() {
        return true;
    }

    @Override
    public String binlogBasename() {
        return "/data/binlog";
    }

    @Override
    public long binlogFileBytes() {
        return 1 << 20;
    }

    @Override
    public boolean waitsForReplicas() {
        return true;
    }

    @Override
    public List<FileStatus> files() {
        return List.of(new FileStatus("binlog.000001", 1000), new FileStatus("binlog.000002", 157));
    }

    @Override
    public List<SessionStatus> sessions() {
        return List.of(new SessionStatus(7, "repl", "127.0.0.1:5", "", "Binlog Dump GTID", 3, "waiting"));
    }

    @Override
    public List<ReaderStatus> readers() {
        return List.of(new ReaderStatus(2, "", 3306, "u"));
    }

    @Override
    public long uptimeSeconds() {
        return 60;
    }

    @Override
    public long statements() {
        return 5;
    }

    @Override
    public long statementBytes() {
        return 1 << 20;
    }

    @Override
    public long packetBytes() {
        return 1 << 20;
    }

    @Override
    public long idleSeconds() {
        return 28_800;
    }
}
