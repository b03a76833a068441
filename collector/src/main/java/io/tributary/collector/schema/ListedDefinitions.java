package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The definitions in the shards' lists are those of the moment of the list, which may be later than what has been processed. That of a
 * table is taken over as soon as every statement that names it and that the shard had executed by then has been processed. For one thread.
 */
final class ListedDefinitions {
    private final Map<Integer, OfShard> shards = new HashMap<>();

    /** A shard whose definitions have not been taken over. */
    private static final class OfShard {
        /** Statements that have been received and not processed. */
        final List<Token> statements = new ArrayList<>();

        /** Tables that statements name which were processed before anything was taken over, and ran behind the list. */
        final Set<TableName> changedSince = new HashSet<>();

        /** Tables that statements name which ran while the list was read: their definition may be the one before or behind. */
        final Set<TableName> unsure = new HashSet<>();

        ShardTables tables;

        /** Tables that are still to be taken over, and schemas (empty table); null before anything was. */
        Set<TableName> open;

        boolean isBeforeList(Token token) {
            return tables.executed().contains(token.sid(), token.gno());
        }
    }

    /** Receives what is taken over. */
    @FunctionalInterface
    interface Taker {
        /** @param logical null for a hidden table */
        void take(TableName logical, Place member, TableDefinition definition);
    }

    void expect(int shard) {
        shards.put(shard, new OfShard());
    }

    void leave(int shard) {
        shards.remove(shard);
    }

    /** A statement has been received. */
    void received(Token token) {
        OfShard shard = shards.get(token.shard());
        if (shard != null) {
            shard.statements.add(token);
            noteUnsure(shard, token);
        }
    }

    private static void noteUnsure(OfShard shard, Token token) {
        GtidSet before = shard.tables == null ? null : shard.tables.before();
        if (before != null && shard.isBeforeList(token) && !before.contains(token.sid(), token.gno())) {
            shard.unsure.addAll(named(token, part -> true));
        }
    }

    /** What the parts of a statement name, and the hidden tables that it changes. */
    private static Set<TableName> named(Token token, Predicate<Part> counts) {
        Set<TableName> named = new HashSet<>();
        if (token.ddl() != null) {
            token.ddl().parts().stream()
                    .filter(counts)
                    .forEach(part -> part.targets().forEach(target -> named.add(target.physical())));
        }
        token.hidden().tables().forEach(table -> named.add(table.name()));
        return named;
    }

    void listed(int shard, ShardTables tables) {
        OfShard of = shards.get(shard);
        if (of != null) {
            of.tables = tables;
            of.statements.forEach(token -> noteUnsure(of, token));
        }
    }

    /** A statement has been processed. */
    void processed(Token token) {
        OfShard shard = shards.get(token.shard());
        if (shard != null) {
            if (shard.tables == null || !shard.isBeforeList(token)) {
                token.hidden().tables().forEach(table -> shard.changedSince.add(table.name()));
            }
            shard.statements.removeIf(
                    each -> each.gno() == token.gno() && each.sid().equals(token.sid()));
        }
    }

    /** Whether all of a shard have been taken over. */
    boolean isTaken(int shard) {
        return !shards.containsKey(shard);
    }

    /** Whether all have been taken over. */
    boolean isEmpty() {
        return shards.isEmpty();
    }

    /**
     * Takes over what can be.
     *
     * @param isReceived whether all that a shard had executed at its list has been received
     * @return whether there was something
     */
    boolean take(IntPredicate isReceived, Taker taker) {
        boolean hasTaken = false;
        for (Map.Entry<Integer, OfShard> each : Map.copyOf(shards).entrySet()) {
            int shard = each.getKey();
            OfShard of = each.getValue();
            if (of.tables == null || !isReceived.test(shard)) {
                continue;
            }
            Set<TableName> before = of.open;
            of.open = named(of);
            if (!of.open.equals(before)) {
                take(shard, of, before, taker);
                hasTaken = true;
            }
            if (of.open.isEmpty()) {
                shards.remove(shard);
            }
        }
        return hasTaken;
    }

    /** What statements name that have not been processed and that the list was read behind. */
    private static Set<TableName> named(OfShard of) {
        Set<TableName> named = new HashSet<>();
        for (Token token : of.statements) {
            if (of.isBeforeList(token)) {
                named.addAll(named(token, ListedDefinitions::changesDefinitions));
            }
        }
        return named;
    }

    private static boolean changesDefinitions(Part part) {
        return !part.has(Effect.EMPTIES) && !part.has(Effect.EMPTIES_PARTITIONS);
    }

    private static boolean isOneOf(Set<TableName> names, TableName table) {
        return names.contains(table) || names.contains(new TableName(table.schema(), ""));
    }

    /** @param before what could not be taken over before; null where nothing has been */
    private static void take(int shard, OfShard of, Set<TableName> before, Taker taker) {
        Map<TableName, TableName> logicals = new HashMap<>();
        of.tables.names().forEach(name -> logicals.put(name.physical(), name.logical()));
        of.tables.definitions().forEach((physical, text) -> {
            boolean isNext = !isOneOf(of.open, physical) && (before == null || isOneOf(before, physical));
            TableName logical = logicals.get(physical);
            boolean isSure = !of.unsure.contains(physical) && (logical != null || !of.changedSince.contains(physical));
            if (isNext && isSure) {
                Optional<TableDefinition> definition = DefinitionReader.create(
                        text, ReadSession.of(of.tables.server(), physical.schema()), other -> Optional.empty());
                definition
                        .map(read -> read.withReferences(other -> logicals.getOrDefault(other, other)))
                        .ifPresent(read -> taker.take(logical, new Place(shard, physical), read));
            }
        });
    }
}
