package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.TableName;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Columns, keys and constraints are added and dropped on four members at different times, with restarts between: the written statements can be run on
 * a replica, lead to the members' definitions, and no statement stays incomplete. Replays with {@code -Dseed=}; {@code -Dschema.mixes=} sets how
 * many.
 */
class DefinitionMixTest {
    private static final int MIXES = Integer.getInteger("schema.mixes", 600);
    private static final int SHARDS = 4;
    private static final String CREATE = "CREATE TABLE t (id BIGINT PRIMARY KEY, a INT, b INT, f BIGINT, h BIGINT)";
    private static final ReadSession SESSION = ReadSession.standard("shop");

    private enum Kind {
        COLUMNS,
        KEYS,
        CONSTRAINTS,
        GENERATED
    }

    /** One ALTER of the series. */
    private record Step(Kind kind, String items) {}

    private final List<Step> steps = new ArrayList<>();
    private SplittableRandom random;
    private TableDefinition planned;
    private int names;

    private static TableDefinition created() {
        return DefinitionReader.create(CREATE, SESSION, other -> Optional.empty())
                .orElseThrow();
    }

    private static Optional<TableDefinition> altered(TableDefinition before, String text) {
        return DefinitionReader.alter(before, text, SESSION);
    }

    @Test
    void theWrittenStatementsLeadToTheMembersDefinitions() {
        long first = Long.getLong("seed", 1);
        long last = System.getProperty("seed") == null ? MIXES : first;
        for (long seed = first; seed <= last; seed++) {
            random = new SplittableRandom(seed);
            draw();
            try {
                run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dseed=" + seed + " " + steps + ": " + e.getMessage(), e);
            }
        }
    }

    // ---- the series

    private void draw() {
        steps.clear();
        names = 0;
        planned = created();
        int count = random.nextInt(2, 9);
        for (int tries = 0; steps.size() < count && tries < 100; tries++) {
            Step step = step();
            Optional<TableDefinition> next =
                    step == null ? Optional.empty() : altered(planned, "ALTER TABLE t " + step.items());
            if (next.isPresent()) {
                planned = next.get();
                steps.add(step);
            }
        }
    }

    private Step step() {
        int name = ++names;
        String column = random.nextBoolean() ? "a" : "b";
        String own = pick(planned.columns().stream()
                .filter(each -> each.name().startsWith("c"))
                .map(each -> each.name())
                .toList());
        return switch (random.nextInt(14)) {
            case 0 -> new Step(Kind.COLUMNS, "ADD COLUMN c" + name + " INT NOT NULL DEFAULT 5");
            case 1 -> own == null ? null : new Step(Kind.COLUMNS, "DROP COLUMN " + own);
            case 2 -> own == null ? null : new Step(Kind.COLUMNS, "RENAME COLUMN " + own + " TO c" + name);
            case 3 ->
                own == null ? null : new Step(Kind.COLUMNS, "MODIFY " + own + " BIGINT, ADD INDEX i" + name + " (a)");
            case 4, 5 -> new Step(Kind.CONSTRAINTS, "ADD UNIQUE KEY u" + name + " (" + column + ", id)");
            case 6, 7 ->
                dropped(planned.keys().stream()
                        .filter(key -> key.kind() != TableKey.Kind.PRIMARY
                                && !key.name().matches("[fh].*"))
                        .map(key -> "DROP INDEX " + key.name())
                        .toList());
            case 8 -> new Step(Kind.CONSTRAINTS, "ADD CHECK (" + column + " > " + name + ")");
            case 9 ->
                dropped(planned.checks().stream()
                        .map(Check::name)
                        .map("DROP CHECK "::concat)
                        .toList());
            case 10 ->
                !planned.foreignKeys().isEmpty()
                        ? null
                        : new Step(
                                Kind.CONSTRAINTS,
                                "ADD FOREIGN KEY (" + (random.nextBoolean() ? "f" : "h") + ") REFERENCES t (id)");
            case 11 ->
                dropped(planned.foreignKeys().stream()
                        .map(ForeignKey::name)
                        .map("DROP FOREIGN KEY "::concat)
                        .toList());
            case 12 -> new Step(Kind.GENERATED, "ADD COLUMN g" + name + " INT AS (" + column + " + " + name + ")");
            default -> new Step(Kind.KEYS, "ADD INDEX i" + name + " (" + column + ")");
        };
    }

    private Step dropped(List<String> texts) {
        String text = pick(texts);
        return text == null ? null : new Step(Kind.KEYS, text);
    }

    private String pick(List<String> all) {
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    // ---- the members, and the replica

    private void run() {
        DefinedTables tables = DefinedTables.of(SHARDS, CREATE);
        TableDefinition replica = created();
        List<String> written = new ArrayList<>();
        int[] next = new int[SHARDS];
        while (IntStream.of(next).anyMatch(each -> each < steps.size())) {
            int shard = random.nextInt(SHARDS);
            if (next[shard] < steps.size()) {
                log(tables, shard, steps.get(next[shard]++));
            }
            if (random.nextInt(12) == 0) {
                tables.restart();
            }
            for (String text : tables.output()) {
                written.add(text);
                Optional<TableDefinition> after = altered(replica, text);
                assertTrue(after.isPresent(), () -> "a replica would stop at the last of " + written);
                replica = after.get();
            }
        }
        assertEquals(
                List.of(), tables.changes().pending(IntStream.range(0, SHARDS).toArray()));
        for (int shard = 0; shard < SHARDS; shard++) {
            TableMember member = new TableMember(shard, new TableName("shop", "t_" + shard));
            assertFalse(tables.changes().definitions().deviates(DefinedTables.TABLE, member), "s" + shard);
        }
        assertSame(replica);
        assertSame(tables.changes().definitions().inOutput(DefinedTables.TABLE).orElseThrow());
    }

    private static void log(DefinedTables tables, int shard, Step step) {
        switch (step.kind()) {
            case COLUMNS -> tables.alter(shard, step.items());
            case KEYS -> tables.index(shard, step.items());
            case CONSTRAINTS -> tables.constrain(shard, step.items());
            case GENERATED -> tables.addGenerated(shard, step.items());
        }
    }

    private void assertSame(TableDefinition found) {
        assertEquals(
                List.of(),
                Conformity.differences(planned, found),
                () -> CreateTable.text(planned) + " beside " + CreateTable.text(found));
        assertEquals(indexes(planned), indexes(found));
    }

    private static List<String> indexes(TableDefinition table) {
        return table.keys().stream()
                .filter(key -> key.kind() == TableKey.Kind.PLAIN)
                .map(key -> key.parts().toString())
                .sorted()
                .toList();
    }
}
