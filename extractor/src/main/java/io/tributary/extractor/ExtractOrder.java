package io.tributary.extractor;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.store.PayloadStore;
import java.time.Duration;

/**
 * How the tokens of all shards of a node leave their extractors (docs/ordering.md): chosen once, shared by the extractors.
 */
public final class ExtractOrder {
    private final Leave leave;
    private final TableName markerTable;

    private interface Leave {
        Departure of(ShardSource source, Outlet<Token> out, PayloadStore store, Clock clock, Metrics metrics);
    }

    private ExtractOrder(Leave leave, TableName markerTable) {
        this.leave = leave;
        this.markerTable = markerTable;
    }

    /** In the order of each shard's log. */
    public static ExtractOrder xa() {
        return new ExtractOrder((source, out, store, clock, metrics) -> new LogDeparture(out), null);
    }

    /**
     * In the order of TSOs.
     *
     * @param markerTable whose rows carry the TSOs, by its name on the shards
     * @param holeWarn a branch that is undecided for longer is named in the log
     * @param start where the node goes on
     * @param demand told each TSO that is read as committed
     */
    public static ExtractOrder tso(TableName markerTable, Duration holeWarn, Cut start, RoundDemand demand) {
        demand.committed(start.tso());
        return new ExtractOrder(
                (source, out, store, clock, metrics) -> new TsoDeparture(
                        source,
                        out,
                        store.heldTokens(source.name()),
                        clock,
                        metrics,
                        holeWarn.toNanos(),
                        start.tso(),
                        demand::committed),
                markerTable);
    }

    Departure departure(ShardSource source, Outlet<Token> out, PayloadStore store, Clock clock, Metrics metrics) {
        return leave.of(source, out, store, clock, metrics);
    }

    /** The table whose rows carry TSOs; null where there is none. */
    TableName markerTable() {
        return markerTable;
    }
}
