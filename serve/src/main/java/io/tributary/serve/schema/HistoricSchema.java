package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.history.KnownTables;
import io.tributary.serve.history.SchemaHistory;
import io.tributary.serve.sql.LikePattern;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Answers questions about schemas as of the end of the readable binlog. A shard answers as long as its table has the definition that the
 * journal has at that point. For other tables, the definitions in the journal replace the shard's answer, and for all known tables when the
 * shard does not answer. Tables that the journal does not know are shown as the shard has them.
 */
final class HistoricSchema implements SchemaSource {
    private static final int MAX_TABLES = 5_000;
    private static final int MARIADB = 101_100;

    private final SchemaSource shard;
    private final SchemaHistory history;

    HistoricSchema(SchemaSource shard, SchemaHistory history) {
        this.shard = shard;
        this.history = history;
    }

    @Override
    public Map<String, String> variables() {
        return shard.variables();
    }

    @Override
    public CompletableFuture<ResultSet> ask(SchemaQuestion question) {
        boolean isLimited = question instanceof SchemaQuestion.Limited;
        TableFilter reads = isLimited ? ((SchemaQuestion.Limited) question).reads() : TableFilter.ALL;
        SchemaQuestion plain = isLimited ? ((SchemaQuestion.Limited) question).question() : question;
        if (plain instanceof SchemaQuestion.OfTable one
                && TableAnswer.isShown(one)
                && reads.reads(one.table().schema(), one.table().table())) {
            return history.atEnd(tables -> known(tables, one.table()))
                    .thenCompose(known -> known.isEmpty()
                            ? shard.ask(question)
                            : ofTable(question, one, new TableAnswer(known.get(), reads)));
        }
        if (plain instanceof SchemaQuestion.Select select && select.isOfTables()) {
            Predicate<TableName> requested = name ->
                    reads.reads(name.schema(), name.table()) && select.named().includes(name);
            return history.atEnd(tables -> all(tables, requested))
                    .thenCompose(known -> select(question, new Known(select, known, reads)));
        }
        return shard.ask(question);
    }

    // ---- definitions in the journal

    private static Optional<TableDefinition> known(KnownTables tables, TableName name) {
        return tables.text(name).flatMap(text -> read(text, name));
    }

    private static Optional<TableDefinition> read(String text, TableName name) {
        return read(text, name, ReadSession.standard(name.schema()));
    }

    private static Optional<TableDefinition> read(String text, TableName name, ReadSession session) {
        return DefinitionReader.create(text, session, other -> Optional.empty()).map(table -> table.named(name));
    }

    /**
     * Whether a statement of a shard, MySQL or MariaDB, creates the known table. Names of constraints are specific to a shard, and its foreign keys
     * refer to physical names.
     */
    static boolean isDefinitionOf(String text, TableDefinition known) {
        ReadSession mysql = ReadSession.standard(known.name().schema());
        return Stream.of(mysql, mysql.ofServer(true, MARIADB))
                .flatMap(session -> read(text, known.name(), session).stream())
                .anyMatch(live -> live.columns().equals(known.columns())
                        && keys(live).equals(keys(known))
                        && live.collation().equals(known.collation())
                        && Conformity.differences(withoutTargets(live), withoutTargets(known))
                                .isEmpty());
    }

    /** The keys of a table. A key that a server created for a foreign key has the foreign key's name, and none here. */
    private static List<TableKey> keys(TableDefinition table) {
        return table.keys().stream()
                .map(key -> table.foreignKeys().stream()
                                .anyMatch(foreign -> foreign.name().equals(key.name()))
                        ? key.named("")
                        : key)
                .toList();
    }

    private static TableDefinition withoutTargets(TableDefinition table) {
        return table.withReferences(other -> table.name());
    }

    private static Map<TableName, TableDefinition> all(KnownTables tables, Predicate<TableName> requested) {
        Map<TableName, TableDefinition> all = new LinkedHashMap<>();
        tables.forEach(requested, (name, text) -> {
            read(text, name).ifPresent(table -> all.put(name, table));
            if (all.size() > MAX_TABLES) {
                throw SqlRefusal.unsupported("this question is about more than " + MAX_TABLES
                        + " tables: name one with TABLE_SCHEMA = '...' AND TABLE_NAME = '...'");
            }
        });
        return all;
    }

    // ---- one table

    /** Asks the shard for its answer and then for its definition: if the definition is the journal's, the shard's answer is used. */
    private CompletableFuture<ResultSet> ofTable(
            SchemaQuestion question, SchemaQuestion.OfTable one, TableAnswer shown) {
        return shard.ask(question)
                .thenCompose(live -> isSame(shown.table()).thenApply(same -> same ? live : shown.answer(one)))
                .handle((answer, failure) -> failure == null ? answer : shown.answer(one));
    }

    /** Whether the shard's table has the known definition; fails when the shard does not answer or does not have the table. */
    private CompletableFuture<Boolean> isSame(TableDefinition known) {
        return shard.ask(SchemaStatements.createTable(known.name()))
                .thenApply(live -> live.rows().stream()
                        .findFirst()
                        .filter(row -> isDefinitionOf(row.get(1), known))
                        .isPresent());
    }

    // ---- many tables

    /** A SELECT, and the definitions of the tables that it is about. */
    private record Known(SchemaQuestion.Select select, Map<TableName, TableDefinition> tables, TableFilter reads) {}

    private CompletableFuture<ResultSet> select(SchemaQuestion question, Known known) {
        return shard.ask(SchemaStatements.tableNames())
                .thenCompose(live -> overlay(known, names(live)))
                .thenCompose(overlay -> shard.ask(overlay.isEmpty() ? question : question.over(overlay)))
                .exceptionallyCompose(failure -> list(known, failure));
    }

    private static Set<TableName> names(ResultSet live) {
        Set<TableName> names = new HashSet<>();
        live.rows().forEach(row -> names.add(new TableName(row.get(0), row.get(1))));
        return names;
    }

    private CompletableFuture<Overlay> overlay(Known known, Set<TableName> live) {
        Set<String> schemas = new HashSet<>();
        live.forEach(name -> schemas.add(name.schema()));
        List<TableDefinition> missing = new ArrayList<>();
        List<TableDefinition> ofSchemas = new ArrayList<>();
        List<TableDefinition> there = new ArrayList<>();
        known.tables().forEach((name, table) -> {
            (live.contains(name) ? there : missing).add(live.contains(name) ? table : limited(table, known.reads()));
            if (schemas.add(name.schema())) {
                ofSchemas.add(table);
            }
        });
        List<TableDefinition> differing = new ArrayList<>();
        CompletableFuture<Void> compared = CompletableFuture.completedFuture(null);
        for (TableDefinition table : known.select().showsColumns() ? there : List.<TableDefinition>of()) {
            compared = compared.thenCompose(before -> isSame(table))
                    .exceptionally(failure -> false) // it was dropped meanwhile, or its definition cannot be read
                    .thenAccept(same -> {
                        if (!same) {
                            differing.add(limited(table, known.reads()));
                        }
                    });
        }
        return compared.thenApply(done -> new Overlay(differing, missing, ofSchemas));
    }

    /** The definition without foreign keys to tables that the reader may not read. */
    private static TableDefinition limited(TableDefinition table, TableFilter reads) {
        return new TableDefinition(
                table.name(),
                table.columns(),
                table.keys(),
                new TableConstraints(
                        table.foreignKeys().stream()
                                .filter(key -> reads.reads(
                                        key.referenced().schema(),
                                        key.referenced().table()))
                                .toList(),
                        table.checks()),
                table.collation());
    }

    /** Answers SHOW TABLES and SHOW DATABASES when the shard does not. */
    private static CompletableFuture<ResultSet> list(Known known, Throwable failure) {
        SchemaQuestion.Listed list = known.select().list().orElse(null);
        if (list == null || list.condition().where() != null) {
            return CompletableFuture.failedFuture(failure);
        }
        Set<String> names = new TreeSet<>();
        known.tables().keySet().forEach(name -> names.add(list.isOfSchemas() ? name.schema() : name.table()));
        Predicate<String> like = list.condition().like() == null
                ? name -> true
                : LikePattern.of(list.condition().like()).asMatchPredicate();
        ResultSet shown = ResultSet.of(list.columns().toArray(new String[0]));
        names.stream()
                .filter(like)
                .forEach(name -> shown.row(
                        list.columns().size() == 1 ? new String[] {name} : new String[] {name, "BASE TABLE"}));
        return CompletableFuture.completedFuture(shown);
    }
}
