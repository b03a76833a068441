package io.tributary.collector.order;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.store.HeldTokens;
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
    private final DdlLedger ddls;
    private final Emission emission;
    private final Alarms alarms;

    private long newestTso;
    private long now;
    private int queued;
    private int waiting;

    /**
     * @param start where to go on; has all shards in the order of their indexes
     * @param ddls the DDL statements on their way, made from the same cut
     * @param emission takes the transactions
     * @param alarms told of what two-phase commit excludes
     * @param held where to say how many tokens of a shard wait, by its name
     */
    public TsoOrder(Cut start, DdlLedger ddls, Emission emission, Alarms alarms, Function<String, HeldTokens> held) {
        this.lines = new ShardLines(start, false, held);
        this.runnable = new RunnableLines(start.shards().size());
        this.watermarks = new TsoWatermarks(start.shards().size(), start.tso());
        this.ddls = ddls;
        this.emission = emission;
        this.alarms = alarms;
        this.newestTso = start.tso();
    }

    @Override
    public void receive(Token token) {
        ShardLine line = lines.get(token.shard());
        try {
            watermarks.received(token, line.shardName());
            if (token.kind() == TokenKind.PREPARE) {
                gtrids.prepared(line, token, lines);
            }
        } catch (TributaryException e) {
            ShardLine.release(token);
            throw e;
        }
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

    @Override
    public boolean process() {
        ShardLine line = runnable.first();
        if (line == null || line.head().tsoPlace() > watermarks.passed()) {
            return false;
        }
        Token token = line.head();
        if (token.hasTso()) {
            processGroup(token.tso());
            return true;
        }
        switch (token.kind()) {
            case LOCAL -> emission.local(token);
            case DDL -> ddl(token);
            default -> ShardLine.release(token);
        }
        takeFirst();
        return true;
    }

    /** Every shard has passed this TSO: all that has it is here. */
    private void processGroup(long tso) {
        TsoGroup group = new TsoGroup(tso, now);
        try {
            ShardLine line = runnable.first();
            while (line != null && line.head().tso() == tso) {
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
        line.advance();
        queued--;
        waiting -= wants(token) ? 1 : 0;
        if (line.depth() > 0) {
            runnable.add(line);
        }
    }

    private void ddl(Token token) {
        if (ddls.arrive(token.ddl(), token.shard())) {
            emission.ddl(token);
        } else {
            ShardLine.release(token);
        }
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
        throw new IllegalStateException(
                "in order.mode = tso the extractors hold branches that are not decided: the log names each"
                        + " by its XID, and tributary_extract_hole_seconds tells how old the oldest of a shard is");
    }

    @Override
    public long commitMicros(int shard) {
        return lines.get(shard).commitMicros();
    }

    @Override
    public void tick(long nanoTime) {
        now = nanoTime;
    }

    @Override
    public Cut cut(long epoch, long number, long transactions, long tableIds) {
        Cut cut = lines.cut(epoch, number, transactions, tableIds, ddls.pending());
        return new Cut(epoch, number, transactions, tableIds, newestTso, cut.shards(), cut.open(), cut.ddls());
    }

    @Override
    public void close() {
        lines.forEach(ShardLine::close);
        queued = 0;
        waiting = 0;
    }
}
