package io.tributary.collector.schema;

import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The definition of one member's table, with logical names.
 *
 * @param definition empty if it is not known
 * @param renamed columns that have another name in the output, from their own name in lower case to the name in the output; also columns that the
 *     member lacks and that were renamed in the output, from the name with which the member will add them
 */
public record MemberDefinition(Optional<TableDefinition> definition, Map<String, String> renamed) {
    /** An unknown definition. */
    static final MemberDefinition UNKNOWN = new MemberDefinition(Optional.empty(), Map.of());

    public MemberDefinition {
        renamed = Map.copyOf(renamed);
    }

    static MemberDefinition of(Optional<TableDefinition> definition) {
        return new MemberDefinition(definition, Map.of());
    }

    /** The name of a column in the output. */
    public String nameInOutput(String column) {
        return renamed.getOrDefault(column.toLowerCase(Locale.ROOT), column);
    }

    MemberDefinition withoutGeneratedKey() {
        return new MemberDefinition(definition.map(TableDefinition::withoutGeneratedKey), renamed);
    }

    /** The same with other foreign keys. */
    MemberDefinition withForeignKeys(UnaryOperator<ForeignKey> change) {
        return new MemberDefinition(definition.map(each -> each.withForeignKeys(change)), renamed);
    }

    /** Columns were renamed in the output. */
    MemberDefinition outputRenamed(Map<String, String> renames) {
        if (renames.isEmpty() || definition.isEmpty()) {
            return this;
        }
        Map<String, String> next = new HashMap<>();
        Map<String, String> lacking = new HashMap<>(renames);
        definition.get().columns().forEach(column -> {
            String name = nameInOutput(column.name());
            lacking.remove(name.toLowerCase(Locale.ROOT));
            put(next, column.name(), renames.getOrDefault(name.toLowerCase(Locale.ROOT), name));
        });
        renamed.forEach((own, name) -> {
            if (definition.get().column(own).isEmpty()) {
                String now = lacking.remove(name.toLowerCase(Locale.ROOT));
                put(next, own, now == null ? name : now);
            }
        });
        lacking.forEach((own, now) -> {
            if (definition.get().column(own).isEmpty()) {
                put(next, own, now);
            }
        });
        return new MemberDefinition(definition, next);
    }

    /** The member's own columns were renamed, and its definition has changed. */
    MemberDefinition changed(Optional<TableDefinition> changed, Map<String, String> renames) {
        if (definition.isEmpty() || changed.isEmpty()) {
            return of(changed);
        }
        Map<String, String> next = new HashMap<>();
        renamed.forEach((own, name) -> {
            if (definition.get().column(own).isEmpty()) {
                put(next, own, name); // still missing, or added now
            }
        });
        definition.get().columns().forEach(column -> {
            String own = renames.getOrDefault(column.name().toLowerCase(Locale.ROOT), column.name());
            if (changed.get().column(own).isPresent()) {
                put(next, own, nameInOutput(column.name()));
            }
        });
        return new MemberDefinition(changed, next);
    }

    private static void put(Map<String, String> names, String own, String inOutput) {
        if (!own.equalsIgnoreCase(inOutput)) {
            names.put(own.toLowerCase(Locale.ROOT), inOutput);
        }
    }
}
