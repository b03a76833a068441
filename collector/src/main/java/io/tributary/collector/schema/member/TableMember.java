package io.tributary.collector.schema.member;

import io.tributary.common.value.TableName;

/**
 * A member by the index of its shard.
 *
 * @param shard the shard's index
 * @param physical the table on that shard; an empty table means the schema, an empty schema too the shard itself (TEXT)
 */
public record TableMember(int shard, TableName physical) {
    private static final TableName NOTHING = new TableName("", "");

    /** The shard itself, for statements that are counted by shard. */
    public static TableMember of(int shard) {
        return new TableMember(shard, NOTHING);
    }

    /** The schema that contains the table. */
    public TableMember schema() {
        return isSchema() ? this : new TableMember(shard, new TableName(physical.schema(), ""));
    }

    public boolean isSchema() {
        return physical.table().isEmpty();
    }
}
