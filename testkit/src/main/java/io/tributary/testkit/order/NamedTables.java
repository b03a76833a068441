package io.tributary.testkit.order;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;

/** Tables of tokens for tests. */
public final class NamedTables {
    private NamedTables() {}

    /** A table with the same name on the shard, its own shape, and named columns. */
    public static TableRef table(long id, String schema, String table) {
        TableName name = new TableName(schema, table);
        return new TableRef(id, id, name, name, true);
    }
}
