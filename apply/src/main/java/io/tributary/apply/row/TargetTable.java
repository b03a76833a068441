package io.tributary.apply.row;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table of the target.
 *
 * @param definition as the target has it
 * @param isTransactional whether changes of its rows are part of transactions
 */
public record TargetTable(TableDefinition definition, boolean isTransactional) {
    /** Its name with its schema, in backticks. */
    String quoted() {
        return SqlNames.name(definition.name());
    }

    /** The indexes of the columns that identify a row: those of its primary key, or of a unique key of NOT NULL columns; empty if it has none. */
    int[] rowKey() {
        Optional<List<KeyPart>> parts = definition.rowKey().map(key -> key.parts());
        boolean isWhole =
                parts.isPresent() && parts.get().stream().allMatch(part -> !part.isExpression() && part.prefix() == 0);
        return isWhole
                ? parts.get().stream()
                        .mapToInt(part -> definition.indexOf(part.column()))
                        .toArray()
                : new int[0];
    }

    /** The indexes of the columns whose values the table stores as they are given: those that are not computed. */
    int[] written() {
        List<Integer> indexes = new ArrayList<>();
        List<Column> columns = definition.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).generation().isEmpty()) {
                indexes.add(i);
            }
        }
        return indexes.stream().mapToInt(Integer::intValue).toArray();
    }
}
