package io.tributary.collector.order;

import io.tributary.collector.schema.Queues;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.store.HeldTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Puts the tokens of all shards, each shard's sorted by TSO (docs/ordering.md), into one order: by TSO; at one TSO first the
 * transaction that has it, its branches joined, then what stands directly behind it, by shard. A TSO is complete once every shard's
 * watermark has passed it. What is not complete stays in its shard's queue, so a cut never stands inside a transaction and there is
 * nothing to be read again below it. For one thread; amortised O(log shards) a token.
 */
public final class TsoOrder implements TotalOrder {
    private final ShardLines lines;
    private final RunnableLines runnable;
    private final TsoWatermarks watermarks;
    private final TsoGtrids gtrids = new TsoGtrids();
    private final TsoMembership membership;
    private final SchemaOrder schema;
    private final HeadCheck heads;
    private final Emission emission;
    private final Alarms alarms;

    private long newestTso;
    private long now;
    private int queued;
    private int waiting;
    private Token held;
    private long tried;

    /**
     * @param start where to go on; has all shards in the order of their indexes
     * @param schema made from the same cut
     * @param emission takes the transactions
     * @param alarms told of what two-phase commit excludes
     * @param held where to say how many tokens of a shard wait, by its name
     */
    public TsoOrder(
            Cut start, SchemaOrder schema, Emission emission, Alarms alarms, Function<String, HeldTokens> held) {
        this.lines = new ShardLines(start, false, held, schema.questions());
        this.runnable = new RunnableLines(start.shards().size());
        this.watermarks = new TsoWatermarks(start.shards().size(), start.tso());
        this.schema = schema;
        this.heads = new HeadCheck(schema, emission, Queues.HOLD_EACH_OTHER);
        this.membership = new TsoMembership(lines, watermarks, schema);
        this.emission = emission;
        this.alarms = alarms;
        this.newestTso = start.tso();
    }

    @Override
    public void receive(Token token) {
        ShardLine line = lines.get(token.shard());
        if (line == null) {
            membership.received(token).forEach(this::receive);
            return;
        }
        try {
            watermarks.received(token, line.shardName());
            if (token.kind() == TokenKind.PREPARE) {
                gtrids.prepared(line, token);
            }
        } catch (TributaryException e) {
            token.release();
            throw e;
        }
        schema.changes().received(token);
        boolean wasIdle = line.depth() == 0;
        line.receive(token, null);
        queued++;
        waiting += wants(token) ? 1 : 0;
        if (wasIdle) {
            runnable.add(line);
        }
    }

    /** Whether a token is worth a round: rounds that wait for rounds would never end. */
    private static boolean wants(Token token) {
        return token.kind() != TokenKind.ROUND && token.kind() != TokenKind.SKIPPED;
    }

    /**
     * Goes one step on. Where a shard waits at a statement, or is held at a question, what has a larger TSO cannot come out before, so
     * that all shards wait there; they are read on.
     */
    @Override
    public boolean process() {
        if (schema.changes().hasDue()) {
            emission.statement(schema.changes().pollDue());
            return true;
        }
        ShardLine line = runnable.first();
        if (line == null || line.head().tsoPlace() > watermarks.passed()) {
            return false;
        }
        Token token = line.head();
        if (held != null && held.equals(token) && schema.version() == tried) {
            return false;
        }
        if (held != null) {
            schema.questions().retry();
            held = null;
        }
        boolean admits = token.hasTso() ? admitsGroup(token.tso()) : heads.mayProcess(token);
        if (!admits) {
            held = token;
            tried = schema.version();
            return false;
        }
        if (token.hasTso()) {
            processGroup(token.tso());
            return true;
        }
        boolean isLeftOut = token.question() != null;
        switch (token.kind()) {
            case LOCAL -> {
                if (!isLeftOut) {
                    emission.local(token);
                }
            }
            case DDL -> {
                if (!isLeftOut) {
                    ddl(token);
                }
            }
            case SKIPPED -> schema.changes().hidden(token);
            default -> token.release();
        }
        takeFirst();
        return true;
    }

    /** Whether all that has this TSO, and stands first in its queue, may be written. */
    private boolean admitsGroup(long tso) {
        boolean admits = true;
        for (int shard = 0; shard < lines.indexes(); shard++) {
            ShardLine line = lines.get(shard);
            if (line != null && line.depth() > 0 && line.head().tso() == tso) {
                Token token = line.head();
                boolean hasRows = token.kind() == TokenKind.PREPARE || token.kind() == TokenKind.LOCAL;
                admits &= token.question() == null && !hasRows || heads.admits(token);
            }
        }
        return admits;
    }

    /** Every shard has passed this TSO: all that has it is here. */
    private void processGroup(long tso) {
        TsoGroup group = new TsoGroup(tso, now);
        try {
            ShardLine line = runnable.first();
            while (line != null && line.head().tso() == tso) {
                if (line.head().kind() == TokenKind.SKIPPED) {
                    schema.changes().hidden(line.head());
                }
                group.add(line, line.head());
                takeFirst();
                line = runnable.first();
            }
            group.emit(emission, alarms);
        } catch (RuntimeException e) { // the order ends here; what was taken out of the queues is given back
            group.release();
            throw e;
        }
    }

    private void takeFirst() {
        ShardLine line = runnable.first();
        runnable.removeFirst();
        Token token = line.head();
        newestTso = Math.max(newestTso, token.tsoPlace());
        advance(line);
        if (token.kind() == TokenKind.ROUND && membership.leaves(line, token)) {
            forget(line);
        } else if (line.depth() > 0) {
            runnable.add(line);
        }
    }

    private void advance(ShardLine line) {
        queued--;
        waiting -= wants(line.head()) ? 1 : 0;
        line.advance();
    }

    /** What is left of a shard that has left is not processed. */
    private void forget(ShardLine line) {
        while (line.depth() > 0) {
            line.head().release();
            advance(line);
        }
        line.close();
    }

    private void ddl(Token token) {
        if (schema.changes().isSkipped(token)) {
            schema.questions().leaveOut(token);
        }
        emission.ddl(token, schema.changes().process(token));
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public boolean awaitsRound() {
        return waiting > 0 && runnable.first().head().tsoPlace() > watermarks.passed();
    }

    @Override
    public int queued() {
        return queued;
    }

    /** None: a branch in doubt is held, and named, where it is extracted. */
    @Override
    public int inDoubt() {
        return 0;
    }

    @Override
    public long oldestNanos() {
        return 0;
    }

    @Override
    public OrderSnapshot snapshot(int most, long epochMicros) {
        List<String> last = new ArrayList<>();
        if (awaitsRound()) {
            lines.forEach(line -> {
                if (watermarks.isLast(line.shard())) {
                    last.add(line.shardName());
                }
            });
        }
        return new OrderSnapshot(
                0,
                List.of(),
                last.isEmpty()
                        ? List.of()
                        : List.of(waiting + " transactions and decisions, the first of them at TSO "
                                + runnable.first().head().tsoPlace() + ", wait for a larger one from shard "
                                + String.join(", ", last)));
    }

    @Override
    public long commitMicros(int shard) {
        ShardLine line = lines.get(shard);
        return line == null ? 0 : line.commitMicros();
    }

    @Override
    public void tick(long nanoTime) {
        now = nanoTime;
    }

    @Override
    public Cut cut(long epoch, long number, long transactions, long tableIds) {
        Cut cut = lines.cut(epoch, number, transactions, tableIds, schema.watch()::state);
        return new Cut(epoch, number, transactions, tableIds, newestTso, cut.shards(), cut.open(), cut.schema());
    }

    @Override
    public void close() {
        lines.forEach(ShardLine::close);
        membership.close();
        queued = 0;
        waiting = 0;
    }
}
