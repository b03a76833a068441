package io.tributary.schema.definition;

import io.tributary.common.value.TableName;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A foreign key.
 *
 * @param name of the constraint
 * @param columns of this table
 * @param reference the referenced table with the same number of columns
 */
public record ForeignKey(String name, List<String> columns, KeyReference reference) {
    /** The action of a foreign key without a clause for it. */
    public static final String NO_ACTION = "NO ACTION";

    public ForeignKey {
        columns = List.copyOf(columns);
    }

    /** The same key with another name of its constraint. */
    public ForeignKey named(String other) {
        return new ForeignKey(other, columns, reference);
    }

    /** The same key with another referenced table. */
    public ForeignKey referencing(TableName table) {
        return new ForeignKey(name, columns, reference.withTable(table));
    }

    /** The same key with other names of the columns of the referenced table. */
    public ForeignKey withReferencedColumns(UnaryOperator<String> names) {
        return new ForeignKey(name, columns, reference.withColumns(names));
    }

    /** The referenced table. */
    public TableName referenced() {
        return reference.table();
    }

    /** The columns of the referenced table. */
    public List<String> referencedColumns() {
        return reference.columns();
    }

    /** The action ON DELETE. */
    public String onDelete() {
        return reference.onDelete();
    }

    /** The action ON UPDATE. */
    public String onUpdate() {
        return reference.onUpdate();
    }
}
