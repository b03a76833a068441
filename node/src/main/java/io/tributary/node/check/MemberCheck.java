package io.tributary.node.check;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Member;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.check.TableListing;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.schema.list.SchemaDefault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/**
 * The check of all members of each logical table: compares their definitions, and the settings of their shards that affect keys. It changes nothing
 * and lets no statement wait. It blocks, so a stage must not call it. It keeps the text of each different definition on the heap.
 */
public final class MemberCheck {
    /** The counter of AUTO_INCREMENT: the only difference that has no effect on rows and keys. */
    private static final Pattern COUNTER = Pattern.compile(" AUTO_INCREMENT=\\d+");

    private final TableNames names;
    private final MysqlClient client;
    private final Map<TableName, ComparedTable> tables =
            new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    private final Map<String, String> bodies = new HashMap<>();
    private final Map<String, Map<String, List<String>>> defaults = new TreeMap<>();
    private final List<String> unread = new ArrayList<>();

    /** @param names the tables to compare, and their logical names */
    public MemberCheck(TableNames names, MysqlClient client) {
        this.names = names;
        this.client = client;
    }

    /** Reads the definitions of a shard. If that fails, its tables are not compared, and {@link #unread()} contains the reason. */
    public void read(String shard, ShardConfig config) {
        try (TableListing listing = names.of(shard, config, client, false).join()) {
            List<TableName> wanted = new ArrayList<>();
            for (int i = 0; i < listing.size(); i++) {
                TableName physical = listing.physical(i);
                if (!physical.table().isEmpty() && logical(shard, physical).isPresent()) {
                    wanted.add(physical);
                }
            }
            listing.defaults().forEach(schema -> add(shard, schema));
            DefinitionFetch fetch = listing.definitions(wanted);
            while (!fetch.isDone()) {
                fetch.awaited().join();
                fetch.step();
            }
            fetch.texts().forEach((physical, text) -> add(new Member(shard, physical), text));
        } catch (CompletionException e) {
            unread.add("shard " + shard + ": warning: its tables are not compared: "
                    + e.getCause().getMessage());
        }
    }

    private Optional<TableName> logical(String shard, TableName physical) {
        try {
            return names.logical(physical);
        } catch (TributaryException e) {
            unread.add("shard " + shard + ": warning: " + physical + " is not compared: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void add(String shard, SchemaDefault schema) {
        TableName physical = new TableName(schema.schema(), "");
        logical(shard, physical)
                .ifPresent(logical -> defaults.computeIfAbsent(logical.schema(), name -> new TreeMap<>())
                        .computeIfAbsent(schema.collation(), collation -> new ArrayList<>())
                        .add(new Member(shard, physical).toString()));
    }

    private void add(Member member, String text) {
        String body = COUNTER.matcher(text.substring(text.indexOf('('))).replaceFirst("");
        names.logical(member.physical())
                .ifPresent(logical -> tables.computeIfAbsent(logical, name -> new ComparedTable())
                        .add(member, bodies.computeIfAbsent(body, same -> same)));
    }

    /** The shards and tables that could not be compared, one line each, with the reason. */
    public List<String> unread() {
        return List.copyOf(unread);
    }

    /**
     * The differences that cause problems on replicas.
     *
     * @param facts of the shards, by name
     */
    public List<TableProblem> problems(Map<String, ShardFacts> facts) {
        List<TableProblem> problems = new ArrayList<>();
        AutoIncrementCheck keys = new AutoIncrementCheck(facts);
        DefinitionCheck definitions = new DefinitionCheck(names);
        tables.forEach((logical, table) -> {
            if (table.size() > 1) {
                problems.addAll(definitions.compare(logical, table, facts));
                keys.add(logical, table);
            }
        });
        problems.addAll(keys.problems());
        defaults.forEach((schema, byCollation) -> {
            if (byCollation.size() > 1) {
                problems.add(new TableProblem(
                        schema + ".*",
                        "default collation of the schema",
                        byCollation.entrySet().stream()
                                .map(each -> each.getKey() + " on " + ListText.of(each.getValue()))
                                .reduce((a, b) -> a + ", " + b)
                                .orElse(""),
                        "a CREATE TABLE or ADD COLUMN without a collation creates different columns on each of them",
                        "ALTER DATABASE ... COLLATE, so that all have the same; existing tables keep theirs"));
            }
        });
        return problems;
    }
}
