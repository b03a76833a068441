package io.tributary.collector.schema;

import io.tributary.common.value.TableName;

/**
 * A member by the index of its shard.
 *
 * @param shard the shard's index
 * @param physical the table on that shard; an empty table means the schema, an empty schema too the shard itself (TEXT)
 */
record TableMember(int shard, TableName physical) {
    private static final TableName NOTHING = new TableName("", "");

    /** The shard itself, for statements that are counted by shard. */
    static TableMember of(int shard) {
        return new TableMember(shard, NOTHING);
    }

    /** The schema that contains the table. */
    TableMember schema() {
        return isSchema() ? this : new TableMember(shard, new TableName(physical.schema(), ""));
    }

    boolean isSchema() {
        return physical.table().isEmpty();
    }
}
