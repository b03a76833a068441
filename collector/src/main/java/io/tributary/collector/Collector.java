package io.tributary.collector;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.order.SnapshotRequest;
import io.tributary.collector.order.TotalOrder;
import io.tributary.collector.order.tso.TsoOrder;
import io.tributary.collector.order.xa.TransactionRegistry;
import io.tributary.collector.order.xa.TwoPhaseCommitRules;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.rows.DdlRows;
import io.tributary.collector.rows.RowGuard;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.collector.schema.SchemaJournal;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.list.ReportedTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequencer: a stage that reads merged tokens and fills the slots of the ring with transactions in global order, each slot with a cut after it. A
 * slot ends when it is full, or when no more tokens wait.
 */
public final class Collector implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final int MOST_STEPS = 2048;
    private static final int MOST_SHOWN = 1000;

    private final Inlet<Token> in;
    private final BatchRing ring;
    private final TotalOrder order;
    private final BatchWriter writer;
    private final RoundRequest roundRequest;
    private final Clock clock;
    private final LongSupplier epoch;
    private final BatchConfig batch;
    private final long idleCutNanos;
    private final SnapshotRequest snapshotRequest = new SnapshotRequest();
    private final SchemaOrder schema;
    private final SchemaJournal journal;
    private final CollectorGauges gauges;
    private final StageCalls calls = new StageCalls();

    private long cutNumber;
    private long lastCutNanos;
    private boolean hasMoved;
    private boolean hasOtherShards;
    private boolean hasEarlyChange; // the open slot's changes also describe transactions after the slot

    /**
     * @param start where to resume
     * @param links to the stages before and after it; the ring has the outlet
     */
    Collector(CollectorConfig config, OrderStart start, BatchRing ring, CollectorLinks links, CollectorResources node) {
        Cut cut = start.cut();
        this.in = links.tokens();
        this.ring = ring;
        this.roundRequest = links.rounds();
        this.clock = node.clock();
        this.epoch = links.epoch();
        this.batch = config.batch();
        this.idleCutNanos = config.idleCutInterval().toNanos();
        this.cutNumber = cut.number();
        this.hasMoved = cut.number() == 0; // the start of a new stream is stored before its first transaction
        this.lastCutNanos = clock.nanoTime() - (hasMoved ? idleCutNanos : 0);
        this.journal = new SchemaJournal(node.store().journal());
        DdlConfig ddl = config.ddl();
        this.schema = SchemaOrder.of(
                cut,
                journal,
                ddl.reports().waiting().toNanos(),
                ddl.reports().missing().toNanos());
        schema.changes().rules(ddl.statements());
        journal.beforeChange(this::beforeChange);
        List<String> shardNames = cut.shards().stream().map(ShardCut::name).toList();
        RowGuard guard = new RowGuard(schema, shardNames, ddl.rows(), node.store());
        this.writer = new BatchWriter(ring, cut, guard, config, this::endBeforeLarge);
        ProtocolViolations violations = new ProtocolViolations();
        this.order = switch (start.mode()) {
            case XA ->
                new XaOrder(
                        new ShardStates(cut, node.store().held(), schema.questions()),
                        schema,
                        writer,
                        new TransactionRegistry(config.inDoubtWarn().toNanos(), violations),
                        new TwoPhaseCommitRules());
            case TSO ->
                new TsoOrder(cut, schema, writer, violations, node.store().held());
        };
        this.gauges = new CollectorGauges(node.metrics(), clock, writer, violations, schema);
        for (int shard = 0; shard < shardNames.size(); shard++) {
            gauges.show(shard, shardNames.get(shard));
        }
    }

    @Override
    public String name() {
        return "collect";
    }

    /**
     * The state now: the distributed transactions that are not written yet, with a description of the oldest 1000. Any thread may call this. The
     * collector's thread completes the future; run dependent actions on another thread.
     */
    public CompletableFuture<OrderSnapshot> snapshot() {
        return snapshotRequest.ask();
    }

    /** The statements that are not complete and the questions that hold a shard, oldest first; any thread. */
    public CompletableFuture<List<SchemaItem>> schemaChanges() {
        return calls.ask(() -> schema.watch().currentItems(clock.nanoTime()));
    }

    /** The same, from some tenths of a second ago; any thread, never blocks. */
    public List<SchemaItem> schemaItems() {
        return schema.watch().items();
    }

    /** Whether a shard waits at a statement or is held; any thread. */
    public boolean isHoldingShards() {
        return schema.watch().isHoldingShards();
    }

    /**
     * Executes an operator's decision about a statement or a held transaction; any thread.
     *
     * @return one line that describes what was done; fails with DECISION_REFUSED
     */
    public CompletableFuture<String> execute(DdlDecision decision) {
        return calls.ask(() -> schema.watch().execute(decision));
    }

    /**
     * Skips the transaction at which a shard is held; any thread.
     *
     * @param until null for that transaction alone, else also all transactions of its source up to this one that must be refused
     * @return one line that describes what was done; fails with DECISION_REFUSED
     */
    public CompletableFuture<String> skip(String shard, Gtid gtid, Gtid until) {
        return calls.ask(() -> schema.questions().skip(shard, gtid, until));
    }

    /** The tables of a shard, requested once for each pipeline; any thread. Statements wait until the tables of all shards are known. */
    public CompletableFuture<Void> tables(int shard, ShardTables tables) {
        return calls.submit(() -> schema.changes().tables(shard, tables));
    }

    /** Asks a shard, by its index, for the definition of a table; any thread may answer. */
    @FunctionalInterface
    public interface ShardDefinitions {
        /** @return empty if the shard has no such table; fails if the pipeline ends first */
        CompletableFuture<Optional<ReportedTable>> definition(int shard, TableName physical);
    }

    /** Sets where to ask for definitions that statements do not contain; any thread. */
    public void definitions(ShardDefinitions shards) {
        var unused =
                calls.submit(() -> writer.definitions((shard, physical, answer) -> shards.definition(shard, physical)
                        .thenCompose(shown -> calls.submit(() -> answer.accept(shown)))
                        .exceptionally(failure -> {
                            LOG.warn("table definition not read: table={} error=\"{}\"", physical, failure.toString());
                            return null;
                        })));
    }

    /** Sets other rules for rows whose columns do not match the output; any thread. */
    public void rowRules(DdlRows rules) {
        var unused = calls.submit(() -> writer.rowRules(rules)); // nobody waits for it
    }

    /** Sets other rules for statements; any thread. */
    public void schemaRules(SchemaRules rules) {
        var unused = calls.submit(() -> schema.changes().rules(rules)); // nobody waits for it
    }

    /** Transactions put into order so far; any thread. */
    public long emitted() {
        return writer.transactions().value();
    }

    /** Processes tokens as long as there is room for the transactions that may result. */
    @Override
    public int doWork() {
        long now = clock.nanoTime();
        order.tick(now);
        schema.watch().tick(now);
        snapshotRequest.answer(() -> order.snapshot(MOST_SHOWN, clock.epochMicros()));
        calls.run();
        int steps = 0;
        boolean isIdle = false;
        while (steps < MOST_STEPS && !isIdle && ring.hasRoom()) {
            isIdle = !step();
            steps += isIdle ? 0 : 1;
            if (!ring.isOpenEmpty()
                    && (isIdle || ring.open().isFull(batch.size().bytes(), batch.transactions()))) {
                endSlot();
            }
        }
        hasMoved |= steps > 0;
        hasMoved |= schema.watch().hasChanged() || journal.hasChanges();
        boolean isCutDue = hasOtherShards || journal.hasChanges() || nanosToCut() <= 0;
        if (hasMoved && isCutDue && ring.isOpenEmpty() && ring.hasRoom()) {
            endSlot();
        }
        if (order.awaitsRound()) {
            roundRequest.request();
        }
        gauges.update(order);
        return steps;
    }

    private long nanosToCut() {
        return lastCutNanos + idleCutNanos - clock.nanoTime();
    }

    @Override
    public long restNanos() {
        return hasMoved && ring.hasRoom()
                ? Math.max(0, Math.min(LONGEST_REST_NANOS, nanosToCut()))
                : LONGEST_REST_NANOS;
    }

    /** Processes a token if that is possible, else receives another one; false when there is none. */
    private boolean step() {
        if (order.process()) {
            return true;
        }
        Token token = in.poll();
        if (token != null) {
            order.receive(token);
        }
        return token != null;
    }

    private void endSlot() {
        Cut cut = order.cut(epoch.getAsLong(), ++cutNumber, writer.newest(), writer.tableIds());
        if (journal.hasChanges()) {
            ring.open().begin(journal.take());
        }
        hasEarlyChange = false;
        ring.open().end(journal.number() == 0 ? cut : cut.behindChange(journal.number()));
        ring.publish();
        lastCutNanos = clock.nanoTime();
        hasMoved = false;
        hasOtherShards = false;
    }

    /**
     * A change of the journal begins a slot, so that it is directly before the transaction that follows. A cut must not be written in the middle of a
     * token, so the slot before ends without a cut. If there is no room, the change is at the start of that slot.
     */
    private void beforeChange() {
        boolean needsNewSlot = !ring.isOpenEmpty() || journal.isFull();
        if (needsNewSlot && ring.hasSlots()) {
            publishWithoutCut();
        } else if (needsNewSlot) {
            hasEarlyChange = true;
        }
    }

    private void publishWithoutCut() {
        hasEarlyChange = false;
        if (journal.hasChanges()) {
            ring.open().begin(journal.take());
        }
        ring.publish();
    }

    private void endBeforeLarge() {
        if (hasEarlyChange) {
            publishWithoutCut();
        } else {
            endSlot();
        }
    }

    /** Reads or changes the journal; any thread may call this, the collector's thread runs it. */
    public <T> CompletableFuture<T> journal(Function<SchemaJournal, T> use) {
        return calls.ask(() -> use.apply(journal));
    }

    // ---- shards that join and leave

    /**
     * Expects a shard to join. Until it has joined, no transaction is written in which it could have a part; any thread.
     *
     * @return its index, which its tokens will carry
     */
    public CompletableFuture<Integer> expect() {
        return calls.ask(order.membership()::expect);
    }

    /**
     * A shard that was expected does not join; any thread.
     *
     * @return false if it has joined already
     */
    public CompletableFuture<Boolean> cancelJoin(int shard) {
        return calls.ask(() -> order.membership().cancelJoin(shard));
    }

    /**
     * A shard that was expected counts from now on; any thread. {@link io.tributary.collector.order.OrderMembership#join} states the conditions for
     * its start position.
     */
    public CompletableFuture<Void> join(int shard, ShardCut from) {
        return calls.submit(() -> {
            order.membership().join(shard, from);
            writer.join(shard, from.name());
            gauges.show(shard, from.name());
            otherShards();
        });
    }

    /**
     * Whether a shard that joined has sent its first round, so that the others do not wait for it any more; any thread.
     *
     * @return the number of a cut that contains it, 0 while the round is missing
     */
    public CompletableFuture<Long> joined(int shard) {
        return calls.ask(() -> order.membership().isJoined(shard) ? otherShards() : 0L);
    }

    /** Lets a shard leave at a round after this one, as soon as nothing prevents it; any thread. */
    public CompletableFuture<Void> requestLeave(int shard, long afterRound) {
        return calls.submit(() -> order.membership().requestLeave(shard, afterRound));
    }

    /** Cancels the leaving of a shard that has not left yet; any thread. */
    public CompletableFuture<Void> cancelLeave(int shard) {
        return calls.submit(() -> order.membership().cancelLeave(shard));
    }

    /**
     * The progress of a shard's leaving.
     *
     * @param last how far the shard was read, null while it has not left
     * @param cut the number of the first cut without it
     * @param hindrances the reasons why it cannot leave yet, as text
     */
    public record Leaving(ShardCut last, long cut, List<String> hindrances) {}

    /** The progress of a shard's leaving; any thread. */
    public CompletableFuture<Leaving> leaving(int shard) {
        return calls.ask(() -> {
            ShardCut last = order.membership().left(shard);
            if (last == null) {
                return new Leaving(null, 0, order.membership().hindrances(shard));
            }
            gauges.hide(shard);
            return new Leaving(last, otherShards(), List.of());
        });
    }

    /** The set of shards has changed: the next cut contains the change, and is written at once. */
    private long otherShards() {
        hasMoved = true;
        hasOtherShards = true;
        return cutNumber + 1;
    }

    /** Returns the payload of all transactions that were not written, and of all tokens that nothing will read any more. */
    @Override
    public void close() {
        in.drain(Token::release);
        snapshotRequest.close();
        calls.close();
        order.close();
        writer.close();
        gauges.close();
        ring.stageClosed();
    }
}
