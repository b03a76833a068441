package io.tributary.node.check;

import io.tributary.common.value.Member;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.check.TableNames;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.compare.Difference;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The comparison of the members' definitions with the one that most members have. */
final class DefinitionCheck {
    private final TableNames names;

    DefinitionCheck(TableNames names) {
        this.names = names;
    }

    /** A definition, and the members that have it. */
    private record Variant(List<Member> members, Optional<TableDefinition> definition) {}

    List<TableProblem> compare(TableName logical, ComparedTable table, Map<String, ShardFacts> facts) {
        List<Variant> variants = new ArrayList<>();
        for (Map.Entry<String, List<Member>> each : table.variants()) {
            Member first = each.getValue().get(0);
            variants.add(new Variant(each.getValue(), read(first, each.getKey(), facts.get(first.shard()))));
        }
        List<TableProblem> problems = new ArrayList<>();
        Variant usual = variants.get(0);
        Map<Difference, List<Member>> differing = new LinkedHashMap<>();
        for (Variant other : variants.subList(1, variants.size())) {
            if (usual.definition.isEmpty() || other.definition.isEmpty()) {
                problems.add(new TableProblem(
                        logical.toString(),
                        "definition",
                        ListText.of(other.members) + " and " + ListText.of(usual.members)
                                + " have different definitions, and at least one of them cannot be parsed",
                        "whether rows of one fit the other is not known before they arrive",
                        "compare SHOW CREATE TABLE of both"));
                continue;
            }
            List<Difference> all = Conformity.differences(usual.definition.get(), other.definition.get());
            for (Difference difference : all) {
                if (!isImplied(difference, all)) {
                    differing
                            .computeIfAbsent(difference, same -> new ArrayList<>())
                            .addAll(other.members);
                }
            }
        }
        differing.forEach(
                (difference, members) -> problems.add(problem(logical, difference, usual.members.get(0), members)));
        return problems;
    }

    /** Parses a definition; the referenced tables of its foreign keys get their logical names. */
    private Optional<TableDefinition> read(Member member, String body, ShardFacts facts) {
        TableName own = member.physical();
        ServerVersion server = facts == null ? ServerVersion.STANDARD : ServerVersion.of(facts.version());
        ReadSession session = ReadSession.of(server, own.schema());
        return DefinitionReader.create("CREATE TABLE t " + body, session, like -> Optional.empty())
                .map(read -> new TableDefinition(
                        read.name(),
                        read.columns(),
                        read.keys(),
                        new TableConstraints(
                                read.foreignKeys().stream().map(this::logical).toList(), read.checks()),
                        read.collation()));
    }

    private ForeignKey logical(ForeignKey key) {
        return key.referencing(names.logical(key.referenced()).orElse(key.referenced()));
    }

    private static TableProblem problem(TableName logical, Difference difference, Member usual, List<Member> members) {
        String found = found(difference, ListText.of(members), usual.toString());
        return new TableProblem(
                logical.toString(),
                name(difference) + (difference.kind() == Difference.Kind.COLUMN_ORDER ? "" : " " + difference.what()),
                found,
                consequence(difference),
                "ALTER TABLE on " + ListText.of(members)
                        + " (or on the others), until SHOW CREATE TABLE shows the same on all");
    }

    private static String name(Difference difference) {
        return switch (difference.kind()) {
            case COLUMN -> "column";
            case COLUMN_ORDER -> "order of columns";
            case TYPE -> "type of column";
            case COLLATION -> "collation of column";
            case NULLABILITY -> "NULL or NOT NULL of column";
            case DEFAULT -> "default of column";
            case GENERATION -> "expression of generated column";
            case AUTO_INCREMENT -> "AUTO_INCREMENT of column";
            case ON_UPDATE -> "ON UPDATE of column";
            case VISIBILITY -> "visibility of column";
            case PRIMARY_KEY -> "primary key on";
            case UNIQUE_KEY -> "unique key on";
            case FOREIGN_KEY -> "foreign key on";
            case CHECK -> "check of";
        };
    }

    private static String found(Difference difference, String members, String usual) {
        String first = shortened(difference.first());
        String second = shortened(difference.second());
        if (first.isEmpty()) {
            return "only on " + members + ": " + second + "; " + usual + " and the members like it lack it";
        }
        return (second.isEmpty() ? "none" : second) + " on " + members + ", " + first + " on " + usual
                + " and the members like it";
    }

    /** Removes precisions and scales that are 0. */
    private static String shortened(String text) {
        return text.replace("(0,0)", "").replace(",0)", ")");
    }

    /** Whether another difference implies this one: a column that may be NULL has the default NULL without a clause. */
    private static boolean isImplied(Difference difference, List<Difference> all) {
        return difference.kind() == Difference.Kind.DEFAULT
                && Set.of("", "NULL").containsAll(Set.copyOf(List.of(difference.first(), difference.second())))
                && all.stream()
                        .anyMatch(other -> other.kind() == Difference.Kind.NULLABILITY
                                && other.what().equals(difference.what()));
    }

    private static String consequence(Difference difference) {
        return switch (difference.kind()) {
            case COLUMN, TYPE ->
                "a row of one of them does not fit the table of the others: if it cannot be converted, it holds its"
                        + " shard (SCHEMA_MIXED) until an operator decides";
            case COLUMN_ORDER ->
                "a row of one of them has its columns in another order, and a replica applies columns by their order: if"
                        + " they cannot be reordered, the row holds its shard (SCHEMA_MIXED)";
            case COLLATION ->
                "the replica has one collation and compares and sorts by it: values that are equal in only one of the"
                        + " collations violate a unique key there (error 1062)";
            case NULLABILITY ->
                "a NULL of one of them cannot be stored in a table with NOT NULL: a replica stops at it";
            case DEFAULT ->
                "rows contain their values, so they are correct; rows that a later ALTER TABLE fills, and writes to a"
                        + " replica, get another value than on these shards";
            case GENERATION ->
                "the replica computes the column by one expression: its values differ from those of some members";
            case AUTO_INCREMENT, ON_UPDATE, VISIBILITY ->
                "rows contain their values, so they are correct; writes to a replica after a failover behave"
                        + " differently than on these shards";
            case PRIMARY_KEY, UNIQUE_KEY ->
                "rows of the members without it can violate it on a replica that has it, which stops (error 1062); without"
                        + " a key a replica searches the whole table for each changed row";
            case FOREIGN_KEY ->
                "rows of the members without it can violate it on a replica that has it, which stops (error 1452)";
            case CHECK ->
                "rows of the members without it can violate it on a replica that has it, which stops (error 3819)";
        };
    }
}
