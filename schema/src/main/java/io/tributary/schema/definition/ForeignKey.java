package io.tributary.schema.definition;

import io.tributary.common.value.TableName;
import java.util.List;

/**
 * A foreign key.
 *
 * @param name of the constraint
 * @param columns of this table
 * @param referenced the other table
 * @param referencedColumns of the other table, as many
 * @param onDelete {@code NO ACTION}, {@code RESTRICT}, {@code CASCADE}, {@code SET NULL} or {@code SET DEFAULT}
 * @param onUpdate likewise
 */
public record ForeignKey(
        String name,
        List<String> columns,
        TableName referenced,
        List<String> referencedColumns,
        String onDelete,
        String onUpdate) {
    /** What a foreign key does where nothing was said. */
    public static final String NO_ACTION = "NO ACTION";

    public ForeignKey {
        columns = List.copyOf(columns);
        referencedColumns = List.copyOf(referencedColumns);
    }
}
