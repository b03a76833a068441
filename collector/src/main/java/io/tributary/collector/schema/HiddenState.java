package io.tributary.collector.schema;

import io.tributary.collector.schema.member.ShardNames;
import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.HiddenTable.Role;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Tables of online schema change tools on the shards, stored in the journal. For copies that were created in the stream it contains the statements
 * that altered them; an extractor starts with these after a restart. For other hidden tables it contains their definitions, as far as they are known.
 * For one thread.
 */
final class HiddenState {
    private final SchemaJournal journal;
    private final ShardNames names;

    HiddenState(SchemaJournal journal, ShardNames names) {
        this.journal = journal;
        this.names = names;
    }

    /** Returns the current definition of a member's table. */
    @FunctionalInterface
    interface Members {
        /** @param logical the table in the output, by the name that the shard's statements use */
        Optional<TableDefinition> definition(TableMember member, TableName logical);
    }

    /**
     * The hidden tables after a statement; this method changes nothing.
     *
     * @param members their definitions before the statement
     */
    List<HiddenTable> after(int shard, HiddenChange change, Members members) {
        Map<TableName, String> definitions = new HashMap<>();
        for (HiddenChange.Rename rename : change.renames()) {
            switch (rename.kind()) {
                case MOVES_AWAY ->
                    definitions.put(
                            rename.to(),
                            members.definition(new TableMember(shard, rename.from()), rename.logical())
                                    .map(CreateTable::text)
                                    .orElse(""));
                case STAYS_HIDDEN ->
                    definitions.put(
                            rename.to(),
                            find(shard, rename.from())
                                    .map(HiddenTable::definition)
                                    .orElse(""));
                case TAKES_PLACE, TAKES_PLACE_UNKNOWN -> {}
            }
        }
        Map<TableName, HiddenTable> after = new LinkedHashMap<>();
        for (HiddenTable table : change.tables()) {
            boolean hasDefinition = table.role() == Role.AWAY || table.role() == Role.OTHER;
            String before =
                    find(shard, table.name()).map(HiddenTable::definition).orElse("");
            String text = hasDefinition ? definitions.getOrDefault(table.name(), before) : "";
            after.put(table.name(), table.withDefinition(text));
        }
        return List.copyOf(after.values());
    }

    /** Stores the result of {@link #after}. */
    void put(int shard, List<HiddenTable> tables) {
        for (HiddenTable table : tables) {
            String key = HiddenForm.key(names.of(shard), table.name());
            boolean isObsolete = table.role() == Role.GONE
                    || table.role() == Role.OTHER && table.definition().isEmpty();
            if (isObsolete) {
                journal.remove(key);
            } else {
                journal.put(key, HiddenForm.encode(table));
            }
        }
    }

    private Optional<HiddenTable> find(int shard, TableName table) {
        return Optional.ofNullable(journal.get(HiddenForm.key(names.of(shard), table)))
                .map(HiddenForm::decode);
    }

    /** The definition of a hidden table; empty if it is not known. */
    Optional<TableDefinition> definition(int shard, TableName table) {
        return find(shard, table)
                .map(HiddenTable::definition)
                .filter(text -> !text.isEmpty())
                .flatMap(text ->
                        DefinitionReader.create(text, ReadSession.standard(table.schema()), other -> Optional.empty()));
    }

    /** Adds a definition that a shard has listed; known definitions are not replaced. */
    void listed(int shard, TableName table, TableDefinition definition) {
        if (find(shard, table).isEmpty()) {
            put(shard, List.of(HiddenTable.other(table).withDefinition(CreateTable.text(definition))));
        }
    }

    /** A schema has been dropped on a shard. */
    void removeSchema(TableMember schema) {
        remove(
                HiddenForm.prefix(names.of(schema.shard())),
                table -> table.schema().equals(schema.physical().schema()));
    }

    /** Removes everything about a shard. */
    void removeShard(String shard) {
        remove(HiddenForm.prefix(shard), table -> true);
    }

    private void remove(String prefix, Predicate<TableName> isRemoved) {
        List<String> keys = new ArrayList<>();
        journal.forEach(prefix, (key, value) -> {
            if (isRemoved.test(HiddenForm.decode(value).name())) {
                keys.add(key);
            }
        });
        keys.forEach(journal::remove);
    }
}
