package io.tributary.schema.read;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.SqlType;
import java.util.Optional;

/**
 * A column as written, before the defaults of its table are applied.
 *
 * @param nullable empty if neither NULL nor NOT NULL was written
 * @param defaultValue empty if none was written
 * @param onUpdate "" if none was written
 */
record RawColumn(
        String name,
        RawType type,
        Optional<Boolean> nullable,
        Optional<RawDefault> defaultValue,
        Optional<Generation> generation,
        boolean autoIncrement,
        String onUpdate,
        boolean visible) {
    RawColumn convertedTo(String collation) {
        return new RawColumn(
                name,
                type.convertedTo(collation),
                nullable,
                defaultValue,
                generation,
                autoIncrement,
                onUpdate,
                visible);
    }

    /** The column in a table with this default collation; {@link TimestampRules} applies the rules of TIMESTAMP. */
    Column resolve(String tableCollation, ReadSession session) {
        SqlType resolved = type.resolve(tableCollation, session);
        boolean plainTimestamp = resolved.name().equals("timestamp") && !session.explicitDefaultsForTimestamp();
        boolean allowsNull = nullable.orElse(!autoIncrement && (!plainTimestamp || generation.isPresent()));
        Default implied = allowsNull && generation.isEmpty() && !autoIncrement ? Default.NULL : Default.NONE;
        Default resolvedDefault = defaultValue
                .filter(value -> !autoIncrement && value.isUsedBy(resolved, session))
                .filter(value ->
                        allowsNull || !value.isNull()) // MariaDB drops the default NULL of a TIMESTAMP that is NOT NULL
                .map(value -> value.resolve(resolved, session))
                .orElse(
                        session.mariadb() && !onUpdate.isEmpty() && !allowsNull
                                ? TimestampRules.zero(resolved)
                                : implied);
        return new Column(name, resolved, allowsNull, resolvedDefault, generation, autoIncrement, onUpdate, visible);
    }
}
