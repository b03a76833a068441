package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.extractor.ShardFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The checks of settings that may have any value, but should have the same one on every shard: only warnings. */
final class ShardSettings {
    private final Map<String, ShardFacts> facts;
    private final List<ShardProblem> problems;

    /**
     * @param facts of the shards, by name
     * @param problems receives the problems
     */
    ShardSettings(Map<String, ShardFacts> facts, List<ShardProblem> problems) {
        this.facts = facts;
        this.problems = problems;
    }

    void check() {
        compare(
                "lower_case_table_names",
                "names of tables that differ only in letter case are one table on some shards and two on others, and"
                        + " table.map rules may match on some shards only",
                "write all names in lower case; the setting can be made only when a server is initialized");
        compare(
                "collation_server",
                "a CREATE DATABASE without a collation, and the tables in it, get different ones on the shards: then"
                        + " the members of a table differ",
                "SET PERSIST collation_server and character_set_server; existing schemas and tables keep theirs");
        compare(
                "default_collation_for_utf8mb4",
                "CHARACTER SET utf8mb4 without a COLLATE means different collations on the shards: then the members"
                        + " of a table differ",
                "SET PERSIST default_collation_for_utf8mb4");
        checkMetadata();
    }

    /** Checks binlog_row_metadata. A shard that has the setting, but not FULL, gets its own warning elsewhere. */
    private void checkMetadata() {
        List<String> without = new ArrayList<>();
        List<String> with = new ArrayList<>();
        facts.forEach((name, shard) -> (shard.variable("binlog_row_metadata").isEmpty() ? without : with).add(name));
        if (!without.isEmpty() && !with.isEmpty()) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    true,
                    without.get(0),
                    "binlog_row_metadata",
                    "column names in the rows of all shards",
                    "none on " + String.join(", ", without) + ", whose versions do not support it, in contrast to "
                            + String.join(", ", with)
                            + ": rows of one table whose columns have changed cannot be distinguished by column name,"
                            + " and readers see column names of some shards only",
                    "upgrade them"));
        }
    }

    private void compare(String variable, String effect, String remedy) {
        Map<String, List<String>> shardsByValue = new LinkedHashMap<>();
        facts.forEach((name, shard) -> {
            String value = shard.variable(variable);
            if (!value.isEmpty()) {
                shardsByValue.computeIfAbsent(value, same -> new ArrayList<>()).add(name);
            }
        });
        if (shardsByValue.size() < 2) {
            return;
        }
        List<String> values = new ArrayList<>();
        shardsByValue.forEach((value, shards) -> values.add(value + " on " + String.join(", ", shards)));
        String last = facts.keySet().stream()
                .filter(name -> !facts.get(name).variable(variable).isEmpty())
                .reduce((a, b) -> b)
                .orElse("");
        problems.add(new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                true,
                last,
                variable,
                "the same on every shard",
                String.join(" and ", values) + ": " + effect,
                remedy));
    }
}
