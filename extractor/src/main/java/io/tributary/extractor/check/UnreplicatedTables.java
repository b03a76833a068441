package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.SchemaFilter;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The check for tables of a shard that are not replicated, or not exactly, although no configured filter names them: only warnings. */
final class UnreplicatedTables {
    private static final String QUERY =
            "SELECT TABLE_SCHEMA, TABLE_NAME, ENGINE FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE'";
    private static final String MEMORY = "MEMORY";
    private static final int MOST_NAMED = 5;

    private final String shard;
    private final Kept kept;
    private final List<ShardProblem> problems;

    /**
     * The configuration of tables.
     *
     * @param filter schemas that are left out
     * @param original maps the name of an online schema change tool's table to the name of the table that the tool changes; empty for any other
     *     table
     */
    record Kept(SchemaFilter filter, Function<String, Optional<String>> original) {}

    /** @param problems receives the problems */
    UnreplicatedTables(String shard, Kept kept, List<ShardProblem> problems) {
        this.shard = shard;
        this.kept = kept;
        this.problems = problems;
    }

    /** Must be the last query of this connection: with many tables the answer may arrive after the deadline. */
    void check(MysqlConnection connection, Duration deadline) {
        try {
            check(connection.query(QUERY, deadline));
        } catch (TributaryException | MysqlServerError e) {
            warn(
                    "information_schema.TABLES",
                    "the list of its tables within " + deadline,
                    e.getMessage(),
                    "check that list for MEMORY tables, and for tables that ddl.hidden matches");
        }
    }

    private void check(QueryResult tables) {
        Set<TableName> all = new HashSet<>();
        List<TableName> memory = new ArrayList<>();
        for (QueryResult.Row row : tables.rows()) {
            TableName table = new TableName(row.text(0), row.text(1));
            if (!kept.filter().leavesOut(table.schema())) {
                all.add(table);
                if (MEMORY.equalsIgnoreCase(row.text(2))) {
                    memory.add(table);
                }
            }
        }
        checkHidden(all);
        checkMemory(memory);
    }

    private void checkHidden(Set<TableName> all) {
        List<String> alone = new ArrayList<>();
        List<String> besideOriginal = new ArrayList<>();
        for (TableName table : all) {
            kept.original()
                    .apply(table.table())
                    .map(name -> new TableName(table.schema(), name))
                    .ifPresent(original -> {
                        if (all.contains(original)) {
                            besideOriginal.add(table + " (beside " + original + ")");
                        } else {
                            alone.add(table + " (there is no " + original + ")");
                        }
                    });
        }
        alone.sort(null);
        besideOriginal.sort(null);
        List<String> found = new ArrayList<>(alone);
        found.addAll(besideOriginal);
        if (!found.isEmpty()) {
            warn(
                    "ddl.hidden",
                    "that it matches only tables of online schema change tools",
                    shown(found) + ": their rows are left out",
                    "if one of them does not belong to such a tool: rename it, or set ddl.hidden to patterns that do not"
                            + " match it");
        }
    }

    private void checkMemory(List<TableName> memory) {
        if (!memory.isEmpty()) {
            List<String> found =
                    memory.stream().map(TableName::toString).sorted().toList();
            warn(
                    "ENGINE",
                    "tables that keep their rows when the server restarts",
                    shown(found) + " with ENGINE = MEMORY, which are not replicated exactly: a restart of the shard"
                            + " empties its own rows only",
                    "ALTER TABLE ... ENGINE = InnoDB, or filter.schemas");
        }
    }

    private static String shown(List<String> names) {
        int more = names.size() - MOST_NAMED;
        return String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private void warn(String what, String expected, String found, String remedy) {
        problems.add(new ShardProblem(ErrorCode.SHARD_UNFIT, true, shard, what, expected, found, remedy));
    }
}
