package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import java.util.List;

/**
 * The tables and schemas of a shard at one moment.
 *
 * @param executed all GTIDs that the shard had executed when the names had been read: to be asked for after them
 * @param names logical and physical name of each base table that is not left out or hidden, and of each schema (empty table)
 */
public record ShardTables(GtidSet executed, List<Name> names) {
    public ShardTables {
        names = List.copyOf(names);
    }

    /** One of them. */
    public record Name(TableName logical, TableName physical) {}
}
