package io.tributary.schema.definition;

import io.tributary.common.value.TableName;
import java.util.List;

/**
 * A foreign key.
 *
 * @param name of the constraint
 * @param columns of this table
 * @param referenced the referenced table
 * @param referencedColumns of the referenced table, the same number
 * @param onDelete {@code NO ACTION}, {@code RESTRICT}, {@code CASCADE}, {@code SET NULL} or {@code SET DEFAULT}
 * @param onUpdate one of the same actions
 */
public record ForeignKey(
        String name,
        List<String> columns,
        TableName referenced,
        List<String> referencedColumns,
        String onDelete,
        String onUpdate) {
    /** The action of a foreign key without a clause for it. */
    public static final String NO_ACTION = "NO ACTION";

    public ForeignKey {
        columns = List.copyOf(columns);
        referencedColumns = List.copyOf(referencedColumns);
    }
}
