package io.tributary.schema.read;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.SqlType;
import java.util.Optional;

/**
 * A column as it was written, before the defaults of its table are known.
 *
 * @param nullable empty where neither NULL nor NOT NULL was written
 * @param defaultValue empty where none was written
 * @param onUpdate "" where none was written
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

    /** The column in a table of this default collation; a TIMESTAMP's own rules are {@link TimestampRules}. */
    Column resolve(String tableCollation, ReadSession session) {
        SqlType resolved = type.resolve(tableCollation, session);
        boolean plainTimestamp = resolved.name().equals("timestamp") && !session.explicitDefaultsForTimestamp();
        boolean takesNull = nullable.orElse(!autoIncrement && (!plainTimestamp || generation.isPresent()));
        Default implied = takesNull && generation.isEmpty() && !autoIncrement ? Default.NULL : Default.NONE;
        Default said = defaultValue
                .filter(value -> !autoIncrement && value.isTakenBy(resolved, session))
                .filter(value ->
                        takesNull || !value.isNull()) // of a TIMESTAMP, which MariaDB makes one without a default
                .map(value -> value.resolve(resolved, session))
                .orElse(
                        session.mariadb() && !onUpdate.isEmpty() && !takesNull
                                ? TimestampRules.zero(resolved)
                                : implied);
        return new Column(name, resolved, takesNull, said, generation, autoIncrement, onUpdate, visible);
    }
}
