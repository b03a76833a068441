package io.tributary.schema.rows;

import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.ColumnFacts;
import java.util.List;

/**
 * What is known of the columns of a table besides its table map.
 *
 * @param names in order; empty if the table map contains them
 * @param facts in order; empty = none
 */
public record DescribedColumns(List<String> names, List<ColumnFacts> facts) {
    /** The table map contains everything. */
    public static final DescribedColumns NONE = new DescribedColumns(List.of(), List.of());

    public DescribedColumns {
        names = List.copyOf(names);
        facts = List.copyOf(facts);
    }

    /** The name of a column: from the table map, otherwise from these names; "" = unknown. */
    String name(TableShape shape, int column) {
        String name = shape.name(column);
        return name.isEmpty() && names.size() == shape.columnCount() ? names.get(column) : name;
    }

    ColumnFacts facts(TableShape shape, int column) {
        return facts.size() == shape.columnCount() ? facts.get(column) : ColumnFacts.NONE;
    }
}
