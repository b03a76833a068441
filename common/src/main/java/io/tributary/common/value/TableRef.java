package io.tributary.common.value;

/**
 * One table map of one physical table: the registry in the extractor assigns exactly one id to each (logical name, physical name,
 * table-map body). Maps whose rows have the same columns have the same shape.
 */
public final class TableRef {
    private final long id;
    private final long shape;
    private final String schema;
    private final String table;
    private final TableName physical;
    private final boolean isNamed;

    /** A table with the same name on the shard, its own shape, and named columns. */
    public TableRef(long id, String schema, String table) {
        this(id, id, schema, table, new TableName(schema, table), true);
    }

    /**
     * @param id the global table id, 1..2^48-1, as in table maps and rows events of the output
     * @param shape the id that was assigned first for this logical table and these columns
     * @param schema logical schema name
     * @param table logical table name
     * @param physical the name on the shard
     * @param isNamed whether the table map names the columns (binlog_row_metadata=FULL)
     */
    public TableRef(long id, long shape, String schema, String table, TableName physical, boolean isNamed) {
        this.id = id;
        this.shape = shape;
        this.schema = schema;
        this.table = table;
        this.physical = physical;
        this.isNamed = isNamed;
    }

    /** 1..2^48-1; never assigned to another table map. */
    public long id() {
        return id;
    }

    /**
     * Equal for table maps of one logical table whose rows have the same columns (types, metadata, signedness, character sets, names, ENUM
     * and SET values), whatever their keys, nullability and visibility are.
     */
    public long shape() {
        return shape;
    }

    /** The name on the shard. */
    public TableName physical() {
        return physical;
    }

    /** Whether the table map names the columns; without names a change of their order may not change the shape. */
    public boolean isNamed() {
        return isNamed;
    }

    /** Logical schema name. */
    public String schema() {
        return schema;
    }

    /** Logical table name. */
    public String table() {
        return table;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TableRef ref && id == ref.id;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return schema + "." + table + "#" + id;
    }
}
