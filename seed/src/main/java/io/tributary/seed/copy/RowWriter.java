package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Writes rows of one member, or of a part of it. While the target runs one statement the next one is built. Each statement is a transaction of its own,
 * with the progress after it. For one thread.
 */
final class RowWriter implements RowSink {
    private static final int MOST_TRIES = 50;
    /** A statement counts its warnings in 16 bits. */
    private static final int MOST_WARNINGS = 60_000;

    private static final long LONGEST_PACKET = 1 << 30;
    /** The largest array that is always found in the heap of the serial collector: its old generation is two thirds. */
    private static final double MOST_OF_HEAP = 0.6;

    private final CopyPlan plan;
    private final TargetSession target;
    private final Function<RowStatement, String> progress;
    private final CopyListener listener;
    private final List<CompletableFuture<QueryResult>> after = new ArrayList<>();
    private RowStatement filling;
    private RowStatement sent;
    private boolean isSent;
    private CompletableFuture<QueryResult> answer;
    private List<String> lastKey;

    /**
     * Begins with no row.
     *
     * @param verb INSERT or REPLACE
     * @param progress makes the statement that stores the progress after a statement with rows; "" for none
     */
    RowWriter(
            CopyPlan plan,
            String verb,
            TargetSession target,
            Function<RowStatement, String> progress,
            CopyListener listener) {
        this.plan = plan;
        this.target = target;
        this.progress = progress;
        this.listener = listener;
        this.filling = new RowStatement(plan, verb, target.statementBytes());
        this.sent = new RowStatement(plan, verb, target.statementBytes());
        this.lastKey = List.of();
    }

    @Override
    public void add(ByteBuf row) {
        if (RowStatement.isLarge(row)) {
            addLarge(row);
        } else {
            addUsual(row);
        }
    }

    /** Writes a row alone, and not at the same time as another worker: its statement is in memory as a whole. */
    private void addLarge(ByteBuf row) {
        finish();
        filling.clear();
        sent.clear();
        target.large().acquireUninterruptibly();
        try {
            requireMemory(row);
            addUsual(row);
            finish();
            filling.clear();
            sent.clear();
        } finally {
            target.large().release();
        }
    }

    private void requireMemory(ByteBuf row) {
        long needed = memory(row);
        Runtime runtime = Runtime.getRuntime();
        long free = (long) (runtime.maxMemory() * MOST_OF_HEAP);
        if (needed > free) {
            throw target.session()
                    .unfit(
                            ErrorCode.SEED_FAILED,
                            "expected rows for which the memory of this command is sufficient, found a row of "
                                    + plan.name()
                                    + " after " + shown(lastKey) + " that needs " + needed + " bytes, of which " + free
                                    + " are available | set TRIBUTARY_HEAP=" + 2 * (needed >> 20)
                                    + "m and TRIBUTARY_DIRECT="
                                    + 4 * (needed >> 20) + "m, then run the seed again");
        }
    }

    private long memory(ByteBuf row) {
        try {
            return RowStatement.memory(row);
        } catch (StatementTooLongException e) {
            throw tooLong(Integer.MAX_VALUE);
        }
    }

    private void addUsual(ByteBuf row) {
        addTo(filling, row);
        if (filling.size() > target.mostBytes() && filling.rows() > 1) {
            await();
            sent.clear();
            filling.moveLastRow(sent);
            RowStatement rest = sent;
            sent = filling;
            filling = rest;
            send();
        }
        if (filling.size() > target.mostBytes()) {
            throw tooLong(filling.size());
        }
        if (filling.size() >= target.statementBytes() || filling.warnings() >= MOST_WARNINGS) {
            flush();
        }
    }

    private void addTo(RowStatement statement, ByteBuf row) {
        try {
            statement.add(row);
        } catch (StatementTooLongException e) {
            throw tooLong(Integer.MAX_VALUE);
        }
    }

    private TributaryException tooLong(long bytes) {
        boolean isPossible = bytes + 1024 <= LONGEST_PACKET;
        String found =
                "expected statements of at most " + target.mostBytes() + " bytes (max_allowed_packet), found a row of "
                        + plan.name() + " after " + shown(lastKey) + " that needs " + bytes + "; ";
        return target.session()
                .unfit(
                        ErrorCode.TARGET_UNFIT,
                        found
                                + (isPossible
                                        ? "SET GLOBAL max_allowed_packet = " + roundedUp(bytes)
                                                + ", then run the seed again"
                                        : "no server accepts more than 1 GiB: delete or shorten the row, or leave the table out"));
    }

    private static long roundedUp(long bytes) {
        return Math.min(LONGEST_PACKET, Long.highestOneBit(bytes + 1024) << 1);
    }

    private static String shown(List<String> key) {
        return key.isEmpty() ? "the beginning" : "the key (" + String.join(", ", key) + ")";
    }

    @Override
    public List<String> lastKey() {
        return filling.rows() > 0 ? filling.key() : lastKey;
    }

    /** Sends all rows and waits until they are committed. */
    @Override
    public void finish() {
        flush();
        await();
        awaitCommit();
    }

    private void flush() {
        if (filling.rows() == 0) {
            return;
        }
        await();
        RowStatement full = filling;
        filling = sent;
        sent = full;
        filling.clear();
        send();
    }

    private void send() {
        lastKey = sent.key();
        for (long wait = target.rate().waitNanos();
                wait > 0;
                wait = target.rate().waitNanos()) {
            Pause.upTo(wait);
        }
        target.rate().sent(sent.size());
        begin();
        isSent = true;
    }

    private void begin() {
        SqlSession session = target.session();
        if (sent.warnings() > 0) {
            after.add(session.send("SET SESSION sql_mode = '" + CopySessions.LENIENT + "'"));
        }
        answer = session.send(sent.view());
    }

    /** Waits for the statement with rows, then sends its progress and its COMMIT. */
    private void await() {
        if (!isSent) {
            return;
        }
        SqlSession session = target.session();
        QueryResult result = answered();
        if (result.warnings() != sent.warnings()) {
            throw changed();
        }
        awaitCommit();
        if (sent.warnings() > 0) {
            after.add(session.send("SET SESSION sql_mode = '" + CopySessions.STRICT + "'"));
        }
        after.add(target.sendCommit(progress.apply(sent)));
        listener.copied(plan.name(), sent.rows(), sent.valueBytes());
        isSent = false;
    }

    /** A statement that another worker's one has stopped is sent again. */
    private QueryResult answered() {
        for (int tries = 1; ; tries++) {
            try {
                return target.session().await(answer);
            } catch (MysqlServerError e) {
                boolean mayPass = e.is(MysqlError.ER_LOCK_DEADLOCK, MysqlError.ER_LOCK_WAIT_TIMEOUT);
                if (!mayPass || tries == MOST_TRIES) {
                    throw target.session().failed(doing(), e);
                }
                target.session().run("ROLLBACK");
                Pause.upTo(Long.MAX_VALUE);
                begin();
            }
        }
    }

    private void awaitCommit() {
        for (CompletableFuture<QueryResult> each : after) {
            try {
                var unused = target.session().await(each);
            } catch (MysqlServerError e) {
                throw target.session().failed("the commit of " + doing(), e);
            }
        }
        after.clear();
    }

    private String doing() {
        return "writing rows of " + plan.name() + " up to " + shown(lastKey);
    }

    private TributaryException changed() {
        String warning = "another number of warnings than " + sent.warnings();
        try {
            QueryResult warnings = target.session().query("SHOW WARNINGS LIMIT 1");
            warning = warnings.isEmpty() ? warning : warnings.text(0, "Message");
        } catch (MysqlServerError e) {
            warning = e.getMessage();
        }
        target.session().run("ROLLBACK");
        return target.session()
                .unfit(
                        ErrorCode.SEED_FAILED,
                        "expected that it stores every value as it is, found the warning \"" + warning + "\" while "
                                + doing());
    }
}
