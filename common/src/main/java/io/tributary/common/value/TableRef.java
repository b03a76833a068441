package io.tributary.common.value;

/**
 * One table map of one physical table: the registry in the extractor assigns exactly one id to each (logical name, physical name,
 * table-map body). Maps whose rows have the same columns have the same shape.
 */
public final class TableRef {
    private final long id;
    private final long shape;
    private final TableName logical;
    private final TableName physical;
    private final boolean isNamed;

    /**
     * @param id the global table id, 1..2^48-1, as in table maps and rows events of the output
     * @param shape the id that was assigned first for this logical table and these columns
     * @param logical the name in the output
     * @param physical the name on the shard
     * @param isNamed whether the table map names the columns (binlog_row_metadata=FULL)
     */
    public TableRef(long id, long shape, TableName logical, TableName physical, boolean isNamed) {
        this.id = id;
        this.shape = shape;
        this.logical = logical;
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
        return logical.schema();
    }

    /** Logical table name. */
    public String table() {
        return logical.table();
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
        return logical.schema() + "." + logical.table() + "#" + id;
    }
}
