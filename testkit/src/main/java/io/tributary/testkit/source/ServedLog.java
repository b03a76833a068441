package io.tributary.testkit.source;

import java.util.UUID;

/** The properties of the one binlog of a loopback shard. */
public interface ServedLog {
    UUID uuid();

    long serverId();

    /** The server version, such as {@code 8.0.31}. */
    String serverVersion();

    String fileName();

    /** The length of the file in bytes. */
    int fileEnd();

    /** The number of its last GTID: it has 1 to this; 0 for none. */
    long newestNumber();

    /** The current heartbeat row. */
    RoundTransaction.Row row();
}
