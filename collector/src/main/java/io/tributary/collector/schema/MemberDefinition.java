package io.tributary.collector.schema;

import io.tributary.schema.definition.TableDefinition;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The definition of one member's table, with logical names.
 *
 * @param definition empty where it is not known
 * @param renamed columns of it that have another name in the output: from their name in lower case to the one in the output; also columns
 *     that it lacks and that got another name there, from the name with which the member is to add them
 */
public record MemberDefinition(Optional<TableDefinition> definition, Map<String, String> renamed) {
    /** Nothing is known. */
    static final MemberDefinition UNKNOWN = new MemberDefinition(Optional.empty(), Map.of());

    public MemberDefinition {
        renamed = Map.copyOf(renamed);
    }

    static MemberDefinition of(Optional<TableDefinition> definition) {
        return new MemberDefinition(definition, Map.of());
    }

    /** The name that a column of it has in the output. */
    public String nameInOutput(String column) {
        return renamed.getOrDefault(column.toLowerCase(Locale.ROOT), column);
    }

    /** Columns got other names in the output. */
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

    /** The member's own columns got other names, and other definitions. */
    MemberDefinition changed(Optional<TableDefinition> changed, Map<String, String> renames) {
        if (definition.isEmpty() || changed.isEmpty()) {
            return of(changed);
        }
        Map<String, String> next = new HashMap<>();
        renamed.forEach((own, name) -> {
            if (definition.get().column(own).isEmpty()) {
                put(next, own, name); // lacking still, or added now
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
