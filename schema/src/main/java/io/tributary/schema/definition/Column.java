package io.tributary.schema.definition;

import java.util.Optional;

/**
 * A column of a table.
 *
 * @param name as written
 * @param type its type, including the parts that the server adds to the written type
 * @param nullable whether it allows NULL
 * @param defaultValue {@link Default.Null} for a nullable column without a DEFAULT clause
 * @param generation how a generated column is computed from others; empty for other columns
 * @param autoIncrement whether the server numbers its rows
 * @param onUpdate "" or {@code CURRENT_TIMESTAMP}, with its digits such as {@code CURRENT_TIMESTAMP(3)}
 * @param visible false for INVISIBLE
 */
public record Column(
        String name,
        SqlType type,
        boolean nullable,
        Default defaultValue,
        Optional<Generation> generation,
        boolean autoIncrement,
        String onUpdate,
        boolean visible) {
    /** Whether it is generated and not stored. */
    public boolean isVirtual() {
        return generation.isPresent() && !generation.get().stored();
    }

    public Column named(String other) {
        return new Column(other, type, nullable, defaultValue, generation, autoIncrement, onUpdate, visible);
    }

    public Column withType(SqlType other) {
        return new Column(name, other, nullable, defaultValue, generation, autoIncrement, onUpdate, visible);
    }

    public Column withDefault(Default other) {
        return new Column(name, type, nullable, other, generation, autoIncrement, onUpdate, visible);
    }

    public Column withVisible(boolean other) {
        return new Column(name, type, nullable, defaultValue, generation, autoIncrement, onUpdate, other);
    }

    /** The column with NOT NULL, as in a primary key; a default NULL is removed. */
    public Column notNull() {
        Default kept = defaultValue instanceof Default.Null ? Default.NONE : defaultValue;
        return new Column(name, type, false, kept, generation, autoIncrement, onUpdate, visible);
    }
}
