package io.tributary.serve.statement;

import java.util.List;

/** The state of the binlog and of its readers for statements; every answer is as of now. */
public interface BinlogStatus extends SystemVariables.ServerFacts {
    /** A file and its size in bytes, as far as readers may read it. */
    record FileStatus(String name, long size) {}

    /** A session, as SHOW PROCESSLIST shows it. */
    record SessionStatus(
            long threadId, String user, String host, String schema, String command, long seconds, String state) {}

    /** A reader, as SHOW REPLICAS shows it. */
    record ReaderStatus(long serverId, String host, int port, String uuid) {}

    /** Oldest first; never empty while the node runs. */
    List<FileStatus> files();

    List<SessionStatus> sessions();

    List<ReaderStatus> readers();

    /** Seconds since the start of the server. */
    long uptimeSeconds();

    /** Number of statements answered since then. */
    long statements();
}
