package io.tributary.common.order;

import io.tributary.common.config.Key;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;

/**
 * The keys of the global order.
 *
 * @param mode the same for the whole life of a stream
 * @param tsoTable schema.table, physical, on every shard
 */
public record OrderConfig(
        @Key(
                value = "order.mode",
                byDefault = "xa",
                about = "What decides the global order: xa (prepares, commits and rounds; any XA coordinator) or tso"
                        + " (commit timestamps of a coordinator that keeps to docs/ordering.md); fixed once a"
                        + " stream has begun.")
        OrderMode mode,

        @Key(
                value = "order.tso.table",
                byDefault = "tributary.commit_tso",
                about = "The marker table of tso order, schema.table on every shard: the last column, a BIGINT, of a"
                        + " row written to it is the commit timestamp of its transaction; left out of the output.")
        String tsoTable) {
    /** The default order, `xa`. */
    public static final OrderConfig XA = new OrderConfig(OrderMode.XA, "tributary.commit_tso");

    public OrderConfig {
        int dot = tsoTable.indexOf('.');
        if (dot <= 0 || dot == tsoTable.length() - 1 || tsoTable.indexOf('.', dot + 1) >= 0) {
            throw new IllegalArgumentException("order.tso.table: expected schema.table, found '" + tsoTable + "'");
        }
    }

    /** The marker table. */
    public TableName markerTable() {
        int dot = tsoTable.indexOf('.');
        return new TableName(tsoTable.substring(0, dot), tsoTable.substring(dot + 1));
    }

    /**
     * Refuses to go on where only the other order can: `tso` behind a cut of `xa` order with transactions under way, `xa` behind one
     * of `tso` order.
     *
     * @throws TributaryException CONFIG_INVALID
     */
    public void requireFits(Cut cut) {
        boolean isXa = !cut.open().isEmpty()
                || cut.shards().stream().anyMatch(shard -> !shard.resume().equals(shard.frontier()));
        boolean isTso = cut.tso() != 0;
        if (mode == OrderMode.TSO ? isXa : isTso) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "order.mode: expected " + (isTso ? "tso" : "xa")
                            + ", the order in which the stream stands up to cut "
                            + cut.number() + ", found " + (isTso ? "xa" : "tso")
                            + "; another order needs an empty binlog directory");
        }
    }
}
