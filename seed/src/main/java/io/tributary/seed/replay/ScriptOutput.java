package io.tributary.seed.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.replay.stream.BinlogText;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.seed.folder.DumpFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Writes the rows of a replay as BINLOG statements into a file. Rows of many transactions are one statement, and many statements are committed
 * together: nobody reads the target before the end, and all of the file may be loaded again. Statements of the stream are not written. For one thread.
 */
final class ScriptOutput implements ReplayOutput {
    private static final int STATEMENT = 1 << 20;
    private static final int BETWEEN_COMMITS = 16 << 20;

    /** The same settings as those of a session that replays on a server. */
    private static final String SETTINGS =
            "SET NAMES utf8mb4;\nSET SESSION sql_log_bin = 0;\nSET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO',"
                    + " foreign_key_checks = 0, unique_checks = 1;\nSET SESSION rbr_exec_mode = IDEMPOTENT;\n";

    private final DumpFile file;
    private final BiFunction<String, Long, Collection<TableName>> tables;
    private final Predicate<TableName> isSeeded;
    private final ReplayScriptListener listener;
    private final ByteArrayOutputStream events = new ByteArrayOutputStream();
    private long uncommitted;
    private long transactions;
    private long lastDefinition;
    private long longest;

    /**
     * Begins a file.
     *
     * @param tables the tables that a DROP DATABASE in a transaction of the stream would remove
     * @param isSeeded whether a table is seeded; with an empty table name: a schema
     */
    ScriptOutput(
            DumpFile file,
            BiFunction<String, Long, Collection<TableName>> tables,
            Predicate<TableName> isSeeded,
            ReplayScriptListener listener) {
        this.file = file;
        this.isSeeded = isSeeded;
        this.tables = tables;
        this.listener = listener;
        file.add(SETTINGS);
        statement(BinlogText.formatDescription()); // it leaves a gtid_next that waits for the GTID of a transaction
        file.add("SET SESSION gtid_next = 'AUTOMATIC';\n");
    }

    /** The last transaction with a statement about a schema, a table or a view; 0 if there is none. */
    long lastDefinition() {
        return lastDefinition;
    }

    long transactions() {
        return transactions;
    }

    /** Bytes of the longest statement. */
    long longest() {
        return longest;
    }

    /** Writes what is not written yet, and ends the file. */
    void end() {
        flush();
        commit();
    }

    @Override
    public boolean isOldTarget() {
        return false;
    }

    @Override
    public void drain() {
        // the file is written in order
    }

    @Override
    public void submit(ReplayTransaction transaction) {
        transaction.pieces().forEach(this::add);
        transactions++;
    }

    @Override
    public void begin(ReplayTransaction transaction) {
        transaction.pieces().forEach(this::add);
        transaction.clear();
    }

    @Override
    public void piece(ReplayTransaction transaction, byte[] piece) {
        add(piece);
    }

    @Override
    public void commit(ReplayTransaction transaction) {
        transactions++;
    }

    @Override
    public void run(StreamStatement statement, ReplayTransaction transaction) {
        transactions++;
    }

    @Override
    public void beginWith(StreamStatement statement, ReplayTransaction transaction) {
        // only its rows are written
    }

    @Override
    public void seen(StreamStatement statement, ReplayTransaction transaction) {
        if (!statement.targets().isEmpty() && statement.targets().stream().noneMatch(isSeeded)) {
            return;
        }
        StatementKind kind = statement.parsed().kind();
        boolean isView =
                kind == StatementKind.PROGRAM && statement.parsed().verb().endsWith("VIEW");
        switch (kind) {
            case TABLE, SCHEMA, OTHER -> lastDefinition = transaction.gtid().gno();
            case PROGRAM, ACCOUNT -> {
                if (isView) {
                    lastDefinition = transaction.gtid().gno();
                } else {
                    listener.leftOut(statement.toString(), transaction.gtid().gno());
                }
            }
            case SERVER, ROWS, TRANSACTION -> {
                // changes no definition
            }
        }
    }

    @Override
    public void drop(Set<TableName> dropped) {
        // the caller removes their files
    }

    @Override
    public Collection<TableName> tablesOf(String schema, long transaction) {
        return tables.apply(schema, transaction);
    }

    /** Each piece has its own table maps, so several are one statement too. */
    private void add(byte[] piece) {
        if (events.size() > 0 && events.size() + piece.length > STATEMENT) {
            flush();
        }
        events.writeBytes(piece);
    }

    private void flush() {
        if (events.size() == 0) {
            return;
        }
        if (uncommitted == 0) {
            file.add("BEGIN;\n");
        }
        statement(events.toByteArray());
        uncommitted += events.size();
        events.reset();
        if (uncommitted >= BETWEEN_COMMITS) {
            commit();
        }
    }

    private void commit() {
        if (uncommitted > 0) {
            file.add("COMMIT;\n");
            uncommitted = 0;
        }
    }

    private void statement(byte[] some) {
        ByteBuf text = Unpooled.buffer(BinlogText.length(some.length) + 2);
        BinlogText.append(text, some);
        longest = Math.max(longest, text.readableBytes());
        text.writeCharSequence(";\n", StandardCharsets.US_ASCII);
        file.add(text);
    }
}
