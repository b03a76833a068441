package io.tributary.schema.definition;

import io.tributary.common.value.TableName;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The REFERENCES clause of a foreign key.
 *
 * @param table the referenced table
 * @param columns of the referenced table
 * @param onDelete {@code NO ACTION}, {@code RESTRICT}, {@code CASCADE}, {@code SET NULL} or {@code SET DEFAULT}
 * @param onUpdate one of the same actions
 */
public record KeyReference(TableName table, List<String> columns, String onDelete, String onUpdate) {
    public KeyReference {
        columns = List.copyOf(columns);
    }

    /** The same clause for another table. */
    KeyReference withTable(TableName other) {
        return new KeyReference(other, columns, onDelete, onUpdate);
    }

    /** The same clause with other names of columns. */
    KeyReference withColumns(UnaryOperator<String> names) {
        return new KeyReference(table, columns.stream().map(names).toList(), onDelete, onUpdate);
    }
}
