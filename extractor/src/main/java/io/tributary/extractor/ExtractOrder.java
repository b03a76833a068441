package io.tributary.extractor;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.store.PayloadStore;
import java.time.Duration;

/**
 * The order in which the tokens of a node's shards leave their extractors (docs/ordering.md). It is chosen once and shared by all extractors.
 */
public final class ExtractOrder {
    private final Leave factory;
    private final TableName markerTable;

    private interface Leave {
        TokenOrder of(ShardSource source, Outlet<Token> out, PayloadStore store, Clock clock, Metrics metrics);
    }

    private ExtractOrder(Leave factory, TableName markerTable) {
        this.factory = factory;
        this.markerTable = markerTable;
    }

    /** The order of each shard's log. */
    public static ExtractOrder xa() {
        return new ExtractOrder((source, out, store, clock, metrics) -> new LogTokenOrder(out), null);
    }

    /**
     * The order of TSOs.
     *
     * @param markerTable the table whose rows carry the TSOs, by its name on the shards
     * @param pendingWarn a branch that is undecided for longer than this is logged
     * @param start the cut from which the node continues
     * @param demand notified of each TSO that is read as committed
     */
    public static ExtractOrder tso(TableName markerTable, Duration pendingWarn, Cut start, RoundRequest demand) {
        demand.committed(start.tso());
        return new ExtractOrder(
                (source, out, store, clock, metrics) -> {
                    TsoSort sort = new TsoSort(source.from(), start.tso(), demand::committed);
                    return new TsoTokenOrder(
                            sort,
                            out,
                            store.heldTokens(source.name()),
                            new UndecidedReport(source.name(), sort, pendingWarn.toNanos(), metrics),
                            clock);
                },
                markerTable);
    }

    public TokenOrder tokenOrder(
            ShardSource source, Outlet<Token> out, PayloadStore store, Clock clock, Metrics metrics) {
        return factory.of(source, out, store, clock, metrics);
    }

    /** The table whose rows carry TSOs; null if there is none. */
    public TableName markerTable() {
        return markerTable;
    }
}
