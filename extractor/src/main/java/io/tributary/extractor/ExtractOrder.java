package io.tributary.extractor;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.store.PayloadStore;
import java.time.Duration;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * How the tokens of all shards of a node leave their extractors (docs/ordering.md): chosen once, shared by the extractors and the
 * writer of rounds.
 */
public final class ExtractOrder {
    private final Leave leave;
    private final TableName markerTable;
    private final LongAccumulator newestTso;

    private interface Leave {
        Departure of(
                ShardSource source,
                Outlet<Token> out,
                PayloadStore store,
                Clock clock,
                Metrics metrics,
                ExtractOrder order);
    }

    private ExtractOrder(Leave leave, TableName markerTable, long newestTso) {
        this.leave = leave;
        this.markerTable = markerTable;
        this.newestTso = new LongAccumulator(Math::max, newestTso);
    }

    /** In the order of each shard's log. */
    public static ExtractOrder xa() {
        return new ExtractOrder((source, out, store, clock, metrics, order) -> new LogDeparture(out), null, 0);
    }

    /**
     * In the order of TSOs.
     *
     * @param markerTable whose rows carry the TSOs, by its name on the shards
     * @param holeWarn a branch that is undecided for longer is named in the log
     * @param start where the node goes on
     */
    public static ExtractOrder tso(TableName markerTable, Duration holeWarn, Cut start) {
        return new ExtractOrder(
                (source, out, store, clock, metrics, order) -> new TsoDeparture(
                        source,
                        out,
                        store.heldTokens(source.name()),
                        clock,
                        metrics,
                        holeWarn.toNanos(),
                        start.tso(),
                        order.newestTso::accumulate),
                markerTable,
                start.tso());
    }

    Departure departure(ShardSource source, Outlet<Token> out, PayloadStore store, Clock clock, Metrics metrics) {
        return leave.of(source, out, store, clock, metrics, this);
    }

    /** The table whose rows carry TSOs; null where there is none. */
    TableName markerTable() {
        return markerTable;
    }

    /** The largest TSO that any shard's extractor has read as committed, 0 while there is none; any thread. */
    public long newestTso() {
        return newestTso.get();
    }
}
