package io.tributary.extractor;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The names and statements of the one-row table that carries heartbeat rounds on every shard (ordering.md). */
public final class HeartbeatTable {
    /** The schema that belongs to Tributary on every shard. */
    public static final String SCHEMA = "tributary";

    public static final String TABLE = "heartbeat";

    /** Columns in order: id, epoch, round, clock, tso. */
    public static final int COLUMNS = 5;
    /** A table of an earlier version has no tso; it is added when a TSO is first written. */
    public static final int FEWEST_COLUMNS = 4;

    public static final String CREATE_SCHEMA = "CREATE DATABASE IF NOT EXISTS tributary";
    public static final String CREATE_TABLE =
            "CREATE TABLE IF NOT EXISTS tributary.heartbeat (id INT NOT NULL PRIMARY KEY,"
                    + " epoch BIGINT UNSIGNED NOT NULL, round BIGINT UNSIGNED NOT NULL, clock BIGINT UNSIGNED NOT NULL,"
                    + " tso BIGINT UNSIGNED NOT NULL DEFAULT 0)"
                    + " ENGINE=InnoDB COMMENT='Heartbeat rounds of Tributary'";
    public static final String INSERT_ROW =
            "INSERT IGNORE INTO tributary.heartbeat (id, epoch, round, clock) VALUES (1, 0, 0, 0)";
    public static final String ADD_TSO =
            "ALTER TABLE tributary.heartbeat ADD COLUMN tso BIGINT UNSIGNED NOT NULL DEFAULT 0";
    public static final String SELECT_ROW = "SELECT epoch, round, clock FROM tributary.heartbeat WHERE id = 1";

    /** A second table: its one row contains the node that took over the shard last, and the time by that node's clock, us. */
    public static final String CREATE_WRITER =
            "CREATE TABLE IF NOT EXISTS tributary.writer (id INT NOT NULL PRIMARY KEY,"
                    + " author CHAR(36) CHARACTER SET ascii NOT NULL, place VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,"
                    + " since BIGINT UNSIGNED NOT NULL, round_interval BIGINT UNSIGNED NOT NULL)"
                    + " ENGINE=InnoDB COMMENT='Who writes heartbeat rounds of Tributary'";

    public static final String SELECT_AUTHOR =
            "SELECT author, place, since, round_interval FROM tributary.writer WHERE id = 1";

    private HeartbeatTable() {}

    /** The statements that create schema, tables and row if they are missing; each can be run any number of times. */
    public static List<String> setup() {
        return List.of(CREATE_SCHEMA, CREATE_TABLE, INSERT_ROW, CREATE_WRITER);
    }

    /** The statement that grants an account all rights on the schema that Tributary needs. */
    public static String grant(String account) {
        return "GRANT CREATE, ALTER, SELECT, INSERT, UPDATE ON tributary.* TO " + account;
    }

    /**
     * The statement that takes over: from then on the shard refuses writers with a smaller epoch. The clock distinguishes two writers of one
     * epoch.
     */
    public static String takeover(long epoch, long clock) {
        return "UPDATE tributary.heartbeat SET epoch = " + epoch + ", clock = " + clock + " WHERE id = 1 AND epoch < "
                + epoch;
    }

    /** The statement that records the new writer. */
    public static String author(RoundAuthor author, long clock) {
        String row = "author = '" + author.id() + "', place = '" + author.place() + "', since = " + clock
                + ", round_interval = "
                + TimeUnit.NANOSECONDS.toMicros(author.interval().toNanos());
        return "INSERT INTO tributary.writer SET id = 1, " + row + " ON DUPLICATE KEY UPDATE " + row;
    }

    /**
     * The statement that writes a round; it changes nothing if the round is already written, or if another writer has taken over.
     *
     * @param tso every TSO up to this one has been prepared on all shards, or given up; 0 for no such statement
     */
    public static String round(long epoch, long round, long clock, long tso) {
        return "UPDATE tributary.heartbeat SET round = " + round + ", clock = " + clock
                + (tso == 0 ? "" : ", tso = " + tso) + " WHERE id = 1 AND epoch = "
                + epoch + " AND round < " + round;
    }
}
