package io.tributary.common.value;

/** A logical table's name; an empty table means every table of the schema. */
public record TableName(String schema, String table) {
    @Override
    public String toString() {
        return table.isEmpty() ? schema : schema + "." + table;
    }
}
