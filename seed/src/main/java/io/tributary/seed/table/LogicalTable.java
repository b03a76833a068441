package io.tributary.seed.table;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import java.util.List;

/**
 * A table of the output.
 *
 * @param definition its definition with logical names
 * @param createStatement CREATE TABLE with logical names, without the schema
 * @param members the physical tables whose rows it has, by shard name and physical name; may be empty
 */
public record LogicalTable(TableDefinition definition, String createStatement, List<ShardTable> members) {
    public LogicalTable {
        members = List.copyOf(members);
    }

    /** Schema and table. */
    public TableName name() {
        return definition.name();
    }

    /** The columns of its row key in their order: the primary key, or the first unique key of NOT NULL columns; empty if it has none. */
    public List<Column> key() {
        return definition
                .rowKey()
                .map(key -> key.parts().stream()
                        .map(KeyPart::column)
                        .map(name -> definition.column(name).orElseThrow())
                        .toList())
                .orElse(List.of());
    }

    /** The columns whose values are stored and written: all but generated ones. */
    public List<Column> written() {
        return definition.columns().stream()
                .filter(column -> column.generation().isEmpty())
                .toList();
    }
}
