package io.tributary.collector;

import io.tributary.collector.order.Alarms;
import io.tributary.collector.order.GlobalOrder;
import io.tributary.collector.order.Inquiry;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.order.TotalOrder;
import io.tributary.collector.order.TsoOrder;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.collector.schema.SchemaJournal;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.DdlOrder;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.list.ShownTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequencer: takes merged tokens, and fills slots of the ring with transactions in global order, each slot with the cut
 * behind it. A slot ends when it is full, or when nothing more waits.
 */
public final class Collector implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final int MOST_STEPS = 2048;
    private static final int MOST_SHOWN = 1000;

    private final String name;
    private final Inlet<Token> in;
    private final SlotRing ring;
    private final TotalOrder order;
    private final BatchWriter writer;
    private final RoundDemand demand;
    private final Clock clock;
    private final LongSupplier epoch;
    private final long batchBytes;
    private final int batchTransactions;
    private final long idleCutNanos;
    private final Inquiry inquiry = new Inquiry();
    private final SchemaOrder schema;
    private final SchemaJournal journal;
    private final CollectorGauges gauges;
    private final StageCalls calls = new StageCalls();

    private long cutNumber;
    private long lastCutNanos;
    private boolean hasMoved;
    private boolean hasOtherShards;
    private boolean hasEarlyChange; // the open slot's changes explain what comes behind it, too

    /**
     * @param mode which order
     * @param start where to go on
     * @param in merged tokens; this is their only reader
     * @param epoch the epoch of the writer of rounds, as cuts say it
     * @param store what it keeps there
     */
    Collector(
            String name,
            CollectorConfig config,
            OrderMode mode,
            Cut start,
            Inlet<Token> in,
            SlotRing ring,
            RoundDemand demand,
            Metrics metrics,
            Clock clock,
            LongSupplier epoch,
            CollectorStore store) {
        this.name = name;
        this.in = in;
        this.ring = ring;
        this.demand = demand;
        this.clock = clock;
        this.epoch = epoch;
        this.batchBytes = config.batch().bytes();
        this.batchTransactions = config.batchTransactions();
        this.idleCutNanos = config.idleCutInterval().toNanos();
        this.cutNumber = start.number();
        this.hasMoved = start.number() == 0; // where a new stream begins is kept before anything of it comes out
        this.lastCutNanos = clock.nanoTime() - (hasMoved ? idleCutNanos : 0);
        Alarms alarms = new Alarms();
        this.journal = new SchemaJournal(store.journal());
        SchemaOrder schema = SchemaOrder.of(
                start, journal, config.ddlWait().toNanos(), config.ddlWarn().toNanos());
        schema.changes().rules(config.statements());
        journal.beforeChange(this::beforeChange);
        List<String> shardNames =
                start.shards().stream().map(Cut.ShardCut::name).toList();
        this.schema = schema;
        this.writer = new BatchWriter(ring, start, schema, config, store, this::endBeforeLarge);
        this.order = switch (mode) {
            case XA ->
                new GlobalOrder(
                        start, schema, writer, alarms, config.inDoubtWarn().toNanos(), store.held());
            case TSO -> new TsoOrder(start, schema, writer, alarms, store.held());
        };
        this.gauges = new CollectorGauges(metrics, clock, writer, alarms, schema);
        for (int shard = 0; shard < shardNames.size(); shard++) {
            gauges.show(shard, shardNames.get(shard));
        }
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * What is held now: the distributed transactions that are not emitted, the oldest 1000 of them described. Any thread may ask;
     * the answer is completed by the collector's thread, and what follows is to run on another one.
     */
    public CompletableFuture<OrderSnapshot> inquire() {
        return inquiry.ask();
    }

    /** The statements that are not complete and the questions that hold a shard, oldest first; any thread. */
    public CompletableFuture<List<SchemaItem>> schemaChanges() {
        return calls.ask(() -> schema.watch().look(clock.nanoTime()));
    }

    /** The same as some tenths of a second ago; any thread, never blocks. */
    public List<SchemaItem> schemaItems() {
        return schema.watch().items();
    }

    /** Whether a shard waits at a statement or is held; any thread. */
    public boolean isHoldingShards() {
        return schema.watch().heldShards() > 0;
    }

    /**
     * Carries an operator's order for a statement or a held transaction out; any thread.
     *
     * @return one line that says what was done; fails with ORDER_REFUSED
     */
    public CompletableFuture<String> order(DdlOrder order) {
        return calls.ask(() -> schema.watch().order(order));
    }

    /**
     * Leaves out the transaction at which a shard is held; any thread.
     *
     * @param until null for that one alone, else also all of its source that have to be refused up to it
     * @return one line that says what was done; fails with ORDER_REFUSED
     */
    public CompletableFuture<String> skip(String shard, Gtid gtid, Gtid until) {
        return calls.ask(() -> schema.questions().skip(shard, gtid, until));
    }

    /** The tables of a shard, asked for once for each pipeline; any thread. Statements wait until those of all shards are known. */
    public CompletableFuture<Void> tables(int shard, ShardTables tables) {
        return calls.tell(() -> schema.changes().tables(shard, tables));
    }

    /** Asks a shard, by its index, for the definition of a table: any thread may answer. */
    @FunctionalInterface
    public interface Definitions {
        /** @return empty where the shard has no such table; fails when the pipeline ends first */
        CompletableFuture<Optional<ShownTable>> definition(int shard, TableName physical);
    }

    /** Where definitions are asked for that statements do not tell; any thread. */
    public void definitions(Definitions shards) {
        var unused = calls.tell(() -> writer.asker((shard, physical, answer) -> shards.definition(shard, physical)
                .thenCompose(shown -> calls.tell(() -> answer.accept(shown)))
                .exceptionally(failure -> {
                    LOG.warn("no definition of {}: {}", physical, failure.toString());
                    return null;
                })));
    }

    /** Other rules for rows whose columns do not fit; any thread. */
    public void rows(DdlRows rules) {
        var unused = calls.tell(() -> writer.rules(rules)); // nobody waits for it
    }

    /** Other rules for statements; any thread. */
    public void rules(SchemaRules rules) {
        var unused = calls.tell(() -> schema.changes().rules(rules)); // nobody waits for it
    }

    /** Transactions put into order so far; any thread. */
    public long emitted() {
        return writer.transactions().value();
    }

    /** Orders while there is room for what may come out. */
    @Override
    public int doWork() {
        long now = clock.nanoTime();
        order.tick(now);
        schema.watch().tick(now);
        inquiry.answer(() -> order.snapshot(MOST_SHOWN, clock.epochMicros()));
        calls.run();
        int steps = 0;
        boolean isIdle = false;
        while (steps < MOST_STEPS && !isIdle && ring.hasRoom()) {
            isIdle = !step();
            steps += isIdle ? 0 : 1;
            if (!ring.isOpenEmpty() && (isIdle || ring.open().isFull(batchBytes, batchTransactions))) {
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
            demand.want();
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

    /** Processes a token if one can be, else takes another one in; false when there is none. */
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
     * A change begins a slot, so that it stands directly in front of the transaction that follows. In the middle of a token nothing may be
     * cut off, so no cut ends the slot before. Without room the change stands at the head of that slot.
     */
    private void beforeChange() {
        boolean isInTheWay = !ring.isOpenEmpty() || journal.isFull();
        if (isInTheWay && ring.hasSlots()) {
            publishWithoutCut();
        } else if (isInTheWay) {
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

    /** Uses the journal, and may change it; any thread may ask, the collector's does it. */
    public <T> CompletableFuture<T> journal(Function<SchemaJournal, T> use) {
        return calls.ask(() -> use.apply(journal));
    }

    // ---- shards that come and go

    /**
     * A shard is to come: nothing comes out of which it could have a part, until it has had its say; any thread.
     *
     * @return its index, which its tokens will carry
     */
    public CompletableFuture<Integer> expect() {
        return calls.ask(order.membership()::expect);
    }

    /**
     * A shard that was expected does not come; any thread.
     *
     * @return false when it is there already
     */
    public CompletableFuture<Boolean> giveUp(int shard) {
        return calls.ask(() -> order.membership().giveUp(shard));
    }

    /**
     * A shard that was expected counts from here on; any thread. {@link io.tributary.collector.order.Membership#join} says what its
     * place has to fulfil.
     */
    public CompletableFuture<Void> join(int shard, ShardCut from) {
        return calls.tell(() -> {
            order.membership().join(shard, from);
            writer.join(shard, from.name());
            gauges.show(shard, from.name());
            otherShards();
        });
    }

    /**
     * Whether a shard that came has sent its first round, so that nobody waits for it any more; any thread.
     *
     * @return the number of a cut that has it, 0 while it has not
     */
    public CompletableFuture<Long> joined(int shard) {
        return calls.ask(() -> order.membership().isJoined(shard) ? otherShards() : 0L);
    }

    /** Has a shard leave at a round above this one, as soon as nothing hinders it; any thread. */
    public CompletableFuture<Void> askToLeave(int shard, long afterRound) {
        return calls.tell(() -> order.membership().askToLeave(shard, afterRound));
    }

    /** Has a shard that has not left stay; any thread. */
    public CompletableFuture<Void> stay(int shard) {
        return calls.tell(() -> order.membership().stay(shard));
    }

    /**
     * How far a shard's leaving is.
     *
     * @param last how far it was read, null while it is there
     * @param cut the number of the first cut without it
     * @param hindrances what keeps it, in words
     */
    public record Leaving(ShardCut last, long cut, List<String> hindrances) {}

    /** How far a shard's leaving is; any thread. */
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

    /** The set of shards has changed: the next cut says so, and comes at once. */
    private long otherShards() {
        hasMoved = true;
        hasOtherShards = true;
        return cutNumber + 1;
    }

    /** Gives back the payload of all that was not emitted, and of what nobody will read any more. */
    @Override
    public void close() {
        in.drain(Token::release);
        inquiry.close();
        calls.close();
        order.close();
        writer.close();
        gauges.close();
        ring.leave();
    }
}
