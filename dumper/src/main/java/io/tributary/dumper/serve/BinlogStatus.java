package io.tributary.dumper.serve;

import java.util.List;

/** What statements may ask of the binlog and of its readers; every answer is as of now. */
interface BinlogStatus extends SystemVariables.ServerFacts {
    /** A file and its size in bytes, as far as readers may see it. */
    record FileStatus(String name, long size) {}

    /** A session, as SHOW PROCESSLIST shows it. */
    record SessionStatus(
            long threadId, String user, String host, String schema, String command, long seconds, String state) {}

    /** A reader, as SHOW REPLICAS shows it. */
    record ReaderStatus(long serverId, String host, int port, String uuid) {}

    /** Oldest first; never empty once the node runs. */
    List<FileStatus> files();

    List<SessionStatus> sessions();

    List<ReaderStatus> readers();

    /** Since the server was started. */
    long uptimeSeconds();

    /** How many statements have been answered since then. */
    long statements();
}
