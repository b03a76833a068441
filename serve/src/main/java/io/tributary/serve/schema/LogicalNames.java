package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * How readers see the names of the shard that answers.
 *
 * @param mapping physical to logical names
 * @param isIdentity whether the mapping leaves every name unchanged
 * @param hidden physical schemas that are not shown; in lower case
 */
public record LogicalNames(UnaryOperator<TableName> mapping, boolean isIdentity, Set<String> hidden) {
    public LogicalNames {
        Objects.requireNonNull(mapping);
        hidden = hidden.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a schema is not shown. */
    public boolean hides(String schema) {
        return hidden.contains(schema.toLowerCase(Locale.ROOT));
    }
}
