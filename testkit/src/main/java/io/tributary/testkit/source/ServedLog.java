package io.tributary.testkit.source;

import java.util.UUID;

/** What a loopback shard says of the one binlog that it has. */
public interface ServedLog {
    UUID uuid();

    long serverId();

    /** Such as {@code 8.0.31}. */
    String serverVersion();

    String fileName();

    /** Bytes of the file. */
    int fileEnd();

    /** All its GTIDs: 1 to this; 0 for none. */
    long newestNumber();

    /** The heartbeat row as it is now. */
    RoundTransaction.Row row();
}
