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
                about = "How the global order is determined: xa (from XA PREPARE, commits and heartbeat"
                        + " rounds; any XA coordinator) or tso (from commit timestamps; the coordinator"
                        + " must follow the rules of docs/ordering.md). It cannot be changed after the"
                        + " stream has begun.")
        OrderMode mode,

        @Key(
                value = "order.tso.table",
                byDefault = "tributary.commit_tso",
                about = "The marker table of tso order, schema.table on every shard: the last column"
                        + " (BIGINT) of a row that a transaction writes to it is the commit timestamp of"
                        + " the transaction. The table is left out of the output.")
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
     * Rejects a stream that only the other order can continue: `tso` after a cut of `xa` order with open transactions, `xa` after a cut
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
                            + ", the order of the stream up to cut "
                            + cut.number() + ", found " + (isTso ? "xa" : "tso")
                            + "; another order needs an empty binlog directory");
        }
    }
}
