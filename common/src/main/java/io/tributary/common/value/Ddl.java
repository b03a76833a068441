package io.tributary.common.value;

import java.util.List;

/**
 * What the order of things has to know of a DDL statement.
 *
 * @param digest identity of the statement after mapping of names: hex of SHA-256 over default schema and text
 * @param tables the logical tables that it touches
 * @param changesColumns whether rows logged before and after it may differ in shape; true when in doubt
 */
public record Ddl(String digest, List<TableName> tables, boolean changesColumns) {
    public Ddl {
        tables = List.copyOf(tables);
    }
}
