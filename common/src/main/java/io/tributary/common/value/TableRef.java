package io.tributary.common.value;

/**
 * One shape of one logical table: the registry in the extractor gives exactly one id to each (schema, table, table-map body), so
 * equal ids are equal shapes.
 */
public final class TableRef {
    private final long id;
    private final String schema;
    private final String table;

    /** @param id the global table id, 1..2^48-1, as it stands in table maps and rows events of the output */
    public TableRef(long id, String schema, String table) {
        this.id = id;
        this.schema = schema;
        this.table = table;
    }

    /** 1..2^48-1; never given to another shape. */
    public long id() {
        return id;
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
