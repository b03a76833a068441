package io.tributary.collector.schema;

import io.tributary.collector.schema.member.TableMember;
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
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The definitions in the shards' lists of tables. They are those at the time of the list, which may be later than the processed position. The
 * definition of a table is accepted when every statement that names the table and that the shard had executed by then has been processed. For one
 * thread.
 */
final class ListedDefinitions {
    private final Map<Integer, OfShard> shards = new HashMap<>();
    private final BiFunction<TableMember, TableName, TableName> namesInOutput;

    /** @param namesInOutput the name that a member's table has in the output, by member and logical name */
    ListedDefinitions(BiFunction<TableMember, TableName, TableName> namesInOutput) {
        this.namesInOutput = namesInOutput;
    }

    /** A shard whose definitions have not been accepted yet. */
    private static final class OfShard {
        /** Statements that have been received and not processed. */
        final List<Token> statements = new ArrayList<>();

        /** Tables in statements that were processed before any definition was accepted, and ran after the list. */
        final Set<TableName> changedSince = new HashSet<>();

        /** Tables in statements that ran while the list was read: their definition may be the one before or after the statement. */
        final Set<TableName> unsure = new HashSet<>();

        ShardTables tables;

        /** Tables that are not accepted yet, and schemas (empty table); null before any was accepted. */
        Set<TableName> open;

        boolean isBeforeList(Token token) {
            return tables.executed().contains(token.sid(), token.gno());
        }
    }

    /** Receives the accepted definitions. */
    @FunctionalInterface
    interface Taker {
        /** @param table by its name in the output; null for a hidden table */
        void accept(TableName table, TableMember member, TableDefinition definition);
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

    /** The tables and schemas in the parts of a statement, and the hidden tables that it changes. */
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

    /** Whether all definitions of a shard have been accepted. */
    boolean isAccepted(int shard) {
        return !shards.containsKey(shard);
    }

    /** Whether all definitions of all shards have been accepted. */
    boolean isEmpty() {
        return shards.isEmpty();
    }

    /**
     * Accepts the definitions that can be accepted now.
     *
     * @param isReceived whether everything that a shard had executed at its list has been received
     * @return whether there were any
     */
    boolean accept(IntPredicate isReceived, Taker taker) {
        boolean hasAccepted = false;
        for (Map.Entry<Integer, OfShard> each : Map.copyOf(shards).entrySet()) {
            int shard = each.getKey();
            OfShard of = each.getValue();
            if (of.tables == null || !isReceived.test(shard)) {
                continue;
            }
            Set<TableName> before = of.open;
            of.open = named(of);
            if (!of.open.equals(before)) {
                accept(shard, of, before, taker);
                hasAccepted = true;
            }
            if (of.open.isEmpty()) {
                shards.remove(shard);
            }
        }
        return hasAccepted;
    }

    /** The tables in statements that have not been processed and that ran before the list. */
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

    /** @param before the tables that could not be accepted before; null if none has been accepted */
    private void accept(int shard, OfShard of, Set<TableName> before, Taker taker) {
        Map<TableName, TableName> tables = new HashMap<>();
        of.tables.names().forEach(name -> {
            TableMember member = new TableMember(shard, name.physical());
            tables.put(name.physical(), namesInOutput.apply(member, name.logical()));
        });
        of.tables.definitions().forEach((physical, text) -> {
            boolean isNext = !isOneOf(of.open, physical) && (before == null || isOneOf(before, physical));
            TableName table = tables.get(physical);
            boolean isSure = !of.unsure.contains(physical) && (table != null || !of.changedSince.contains(physical));
            if (isNext && isSure) {
                Optional<TableDefinition> definition = DefinitionReader.create(
                        text, ReadSession.of(of.tables.server(), physical.schema()), other -> Optional.empty());
                definition
                        .map(read -> read.withReferences(other -> tables.getOrDefault(other, other)))
                        .ifPresent(read -> taker.accept(table, new TableMember(shard, physical), read));
            }
        });
    }
}
