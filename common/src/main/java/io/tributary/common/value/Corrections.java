package io.tributary.common.value;

import io.tributary.common.gtid.GtidSet;
import java.util.List;

/**
 * Transactions in a shard's binlog that make the readers' rows equal to the shard's after changes of the shard were lost. They are read before the
 * transactions that follow the shard's position, wherever they are in its binlog.
 *
 * @param gtids their GTIDs: one source that only they have, from 1 on; empty for none
 * @param tables the physical tables that they change; the index of a table is part of the name of the table that contains its corrections
 */
public record Corrections(GtidSet gtids, List<TableName> tables) {
    /** No corrections. */
    public static final Corrections NONE = new Corrections(GtidSet.EMPTY, List.of());

    public Corrections {
        tables = List.copyOf(tables);
    }

    /** Those that are not in a set of GTIDs that were read. */
    public GtidSet left(GtidSet read) {
        return gtids.isEmpty() ? GtidSet.EMPTY : gtids.minus(read);
    }
}
