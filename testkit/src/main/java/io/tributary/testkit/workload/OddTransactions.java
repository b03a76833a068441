package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Writes single transactions of a special form to {@code odd.body} of a shard. */
public final class OddTransactions {
    public static final String SCHEMA = "odd";

    private static final int CHUNK = 64 << 10;
    private static final long MEBIBYTE = 1 << 20;

    private final List<MysqlServer> shards;
    private final AtomicLong nextId = new AtomicLong(1);

    public OddTransactions(List<MysqlServer> shards) {
        this.shards = List.copyOf(shards);
    }

    /** Creates the schema on every shard; call it once, before the other methods. */
    public void prepare() throws SQLException {
        for (MysqlServer shard : shards) {
            shard.execute(
                    "CREATE DATABASE odd",
                    "CREATE TABLE odd.body (id BIGINT PRIMARY KEY, body LONGBLOB)",
                    "SET GLOBAL max_allowed_packet = 1073741824");
        }
    }

    /** One transaction of about this many MiB, in rows of 64 KiB that do not compress. */
    public void huge(int shard, int mebibytes) throws SQLException {
        try (Sql sql = shards.get(shard).sql()) {
            sql.execute("BEGIN");
            for (long written = 0; written < mebibytes * MEBIBYTE; written += CHUNK) {
                sql.execute(insert("REPEAT(RANDOM_BYTES(1024), " + CHUNK / 1024 + ")"));
            }
            sql.execute("COMMIT");
        }
    }

    /** One transaction with a single row of this many MiB, at most 1000; from 16 MiB on it needs more than one packet. */
    public void hugeRow(int shard, int mebibytes) throws SQLException {
        execute(shard, insert("REPEAT(RANDOM_BYTES(1024), " + mebibytes * MEBIBYTE / 1024 + ")"));
    }

    /** A transaction in a compressed payload event. */
    public void compressed(int shard) throws SQLException {
        execute(shard, "SET SESSION binlog_transaction_compression = ON", insert("REPEAT('compressible', 1000)"));
    }

    /** A transaction whose row change is in the binlog as a statement; Tributary must refuse it. */
    public void statementFormat(int shard) throws SQLException {
        execute(shard, "SET SESSION binlog_format = STATEMENT", insert("'as a statement'"));
    }

    /** A transaction with row images that lack columns; Tributary must refuse it. */
    public void minimalRowImage(int shard) throws SQLException {
        long id = nextId.getAndIncrement();
        execute(
                shard,
                "INSERT INTO odd.body VALUES (" + id + ", 'full')",
                "SET SESSION binlog_row_image = MINIMAL",
                "UPDATE odd.body SET body = 'minimal' WHERE id = " + id);
    }

    /** A GTID without changes, as an administrator injects it to skip a transaction. */
    public void empty(int shard) throws SQLException {
        MysqlServer server = shards.get(shard);
        String executed =
                server.text("SELECT GTID_SUBTRACT(@@gtid_executed, '')").replace("\n", "");
        long last =
                Long.parseLong(executed.substring(Math.max(executed.lastIndexOf('-'), executed.lastIndexOf(':')) + 1));
        execute(shard, "SET GTID_NEXT = '" + server.uuid() + ":" + (last + 1) + "'", "BEGIN", "COMMIT");
    }

    private String insert(String body) {
        return "INSERT INTO odd.body VALUES (" + nextId.getAndIncrement() + ", " + body + ")";
    }

    private void execute(int shard, String... statements) throws SQLException {
        shards.get(shard).execute(statements);
    }
}
