package io.tributary.serve.select;

import io.tributary.common.value.TableName;

/** A physical table and its shard. */
record MemberTable(SelectConnection shard, TableName physical) {
    @Override
    public String toString() {
        return physical + " on shard " + shard.name();
    }
}
