package io.tributary.collector.schema;

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
 * Tables of online schema change tools on the shards, in the journal: of copies that were made in the stream the statements that altered them, with
 * which an extractor begins after a restart; of others their definitions, as far as they are known. For one thread.
 */
final class HiddenState {
    private final SchemaJournal journal;
    private final ShardNames names;

    HiddenState(SchemaJournal journal, ShardNames names) {
        this.journal = journal;
        this.names = names;
    }

    /** Tells the definition that a member's table has now. */
    @FunctionalInterface
    interface Members {
        /** @param logical the table in the output, by the name that the shard's statements give it */
        Optional<TableDefinition> definition(Place member, TableName logical);
    }

    /**
     * What is known of tables behind a statement; nothing is changed yet.
     *
     * @param members as they are before the statement
     */
    List<HiddenTable> after(int shard, HiddenChange change, Members members) {
        Map<TableName, String> definitions = new HashMap<>();
        for (HiddenChange.Rename rename : change.renames()) {
            switch (rename.kind()) {
                case MOVES_AWAY ->
                    definitions.put(
                            rename.to(),
                            members.definition(new Place(shard, rename.from()), rename.logical())
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

    /** Notes what {@link #after} said. */
    void put(int shard, List<HiddenTable> tables) {
        for (HiddenTable table : tables) {
            String key = HiddenForm.key(names.of(shard), table.name());
            boolean isOfNoUse = table.role() == Role.GONE
                    || table.role() == Role.OTHER && table.definition().isEmpty();
            if (isOfNoUse) {
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

    /** The definition of a hidden table; empty where it is not known. */
    Optional<TableDefinition> definition(int shard, TableName table) {
        return find(shard, table)
                .map(HiddenTable::definition)
                .filter(text -> !text.isEmpty())
                .flatMap(text ->
                        DefinitionReader.create(text, ReadSession.standard(table.schema()), other -> Optional.empty()));
    }

    /** Takes a definition over that a shard has listed; what is known already is not replaced. */
    void listed(int shard, TableName table, TableDefinition definition) {
        if (find(shard, table).isEmpty()) {
            put(shard, List.of(HiddenTable.other(table).withDefinition(CreateTable.text(definition))));
        }
    }

    /** A schema is gone on a shard. */
    void removeSchema(Place schema) {
        remove(
                HiddenForm.prefix(names.of(schema.shard())),
                table -> table.schema().equals(schema.physical().schema()));
    }

    /** Nothing is known of the shard any more. */
    void removeShard(String shard) {
        remove(HiddenForm.prefix(shard), table -> true);
    }

    private void remove(String prefix, Predicate<TableName> isGone) {
        List<String> keys = new ArrayList<>();
        journal.forEach(prefix, (key, value) -> {
            if (isGone.test(HiddenForm.decode(value).name())) {
                keys.add(key);
            }
        });
        keys.forEach(journal::remove);
    }
}
