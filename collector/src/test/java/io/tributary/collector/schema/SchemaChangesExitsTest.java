package io.tributary.collector.schema;

import static io.tributary.collector.schema.SchemaLogs.shards;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.SchemaItem.State;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlDecision.Verb;
import io.tributary.common.value.Question;
import io.tributary.common.value.SchemaState;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every state can be ended: each command that is shown ends it, and other commands are refused and change nothing. */
class SchemaChangesExitsTest {
    private static final String[] TWO = shards("t", "t");
    private static final String[] THREE = shards("t", "t", "t");

    private static SchemaLogs logs(String[] tables, Consumer<SchemaLogs> steps) {
        SchemaLogs logs = new SchemaLogs(step -> false, tables);
        steps.accept(logs);
        return logs;
    }

    /** Executes a command line. */
    private static void execute(SchemaLogs logs, String command) {
        List<String> words = Arrays.asList(command.split(" "));
        assertEquals("tributary", words.get(0));
        assertEquals(List.of("-c", "FILE"), words.subList(words.size() - 2, words.size()));
        if (words.get(1).equals("shard")) {
            assertEquals("skip", words.get(2));
            assertEquals("--gtid", words.get(4));
            logs.schema().questions().skip(words.get(3), Gtid.parse(words.get(5)), null);
            return;
        }
        assertEquals("ddl", words.get(1));
        int member = words.indexOf("--member");
        logs.execute(new DdlDecision(
                Verb.valueOf(words.get(2).toUpperCase(Locale.ROOT)),
                words.get(3),
                member < 0 ? "" : words.get(member + 1),
                words.contains("--accept-loss")));
    }

    /** Each command ends the state, also if the node restarts directly after it; the remaining states can be ended too. */
    private static void everyCommandEndsIt(String[] tables, State state, Consumer<SchemaLogs> steps) {
        List<SchemaItem> items = logs(tables, steps).items().stream()
                .filter(item -> item.state() == state)
                .toList();
        assertFalse(items.isEmpty());
        for (SchemaItem item : items) {
            assertFalse(item.commands().isEmpty(), item::toString);
            for (String command : item.commands()) {
                for (int mode = 0; mode < 2; mode++) {
                    int restartsAt = mode;
                    SchemaLogs logs = new SchemaLogs(step -> restartsAt == 1, tables);
                    steps.accept(logs);
                    execute(logs, command);
                    logs.run();
                    assertTrue(
                            logs.items().stream().noneMatch(left -> isStill(left, item, command)),
                            () -> command + " left " + logs.items());
                    endAll(logs);
                    assertEquals(SchemaState.NONE, logs.underWay(), command);
                }
            }
        }
    }

    private static boolean isStill(SchemaItem left, SchemaItem item, String command) {
        if (command.contains(" skip ") && item.state() == State.WAITING) {
            return false; // it is the first of several; the others can be ended in the same way
        }
        boolean isSame = left.id().equals(item.id())
                && left.state() == item.state()
                && left.gtid().equals(item.gtid());
        String member = command.contains("--member ") ? command.replaceFirst(".*--member (\\S+) .*", "$1") : "";
        return isSame
                && (member.isEmpty()
                        || left.state() == State.WAITING
                        || left.lacks().contains(member));
    }

    private static void endAll(SchemaLogs logs) {
        for (int most = 10; most > 0 && !logs.items().isEmpty(); most--) {
            execute(logs, logs.items().get(0).commands().get(0));
            logs.run();
        }
        assertEquals(List.of(), logs.items());
    }

    @Test
    void aDropThatWaits() {
        everyCommandEndsIt(TWO, State.WAITING, logs -> logs.drop(0, "t"));
        everyCommandEndsIt(shards("t_0 t_1", "t_0"), State.WAITING, logs -> logs.drop(0, "t_1"));
    }

    @Test
    void aTruncateThatWaitsOnTwoShards() {
        everyCommandEndsIt(THREE, State.WAITING, logs -> {
            logs.truncate(0, "t");
            logs.truncate(1, "t");
        });
    }

    @Test
    void aDropSchemaThatWaits() {
        everyCommandEndsIt(TWO, State.WAITING, logs -> logs.dropSchema(0));
    }

    @Test
    void aRenameOfSeveralTablesThatWaits() {
        everyCommandEndsIt(shards("t next", "t next"), State.WAITING, logs -> logs.rename(0, "t", "old", "next", "t"));
    }

    @Test
    void aPartitionStatementThatWaitsForTheStatementOrForItsPosition() {
        everyCommandEndsIt(TWO, State.WAITING, logs -> logs.partition(0, "t"));
        everyCommandEndsIt(TWO, State.WAITING, logs -> {
            logs.partition(0, "t");
            logs.alter(1, "t");
            logs.block(1);
        });
    }

    @Test
    void aStatementThatSomeMembersLack() {
        everyCommandEndsIt(TWO, State.PENDING, logs -> logs.alter(0, "t"));
        everyCommandEndsIt(shards("t_0 t_1", "t_0 t_1"), State.PENDING, logs -> logs.index(0, "t_1"));
        everyCommandEndsIt(THREE, State.PENDING, logs -> logs.text("view-1", 0));
        everyCommandEndsIt(THREE, State.PENDING, logs -> logs.rename(0, "t", "u"));
    }

    @Test
    void aTruncateThatSomeMembersLack() {
        everyCommandEndsIt(THREE, State.PENDING, logs -> {
            logs.truncate(0, "t");
            logs.execute(new DdlDecision(Verb.EMIT, "truncate-t", "", true));
        });
    }

    @Test
    void aConstraintThatIsStillToBeWritten() {
        everyCommandEndsIt(TWO, State.COUNTING, logs -> logs.unique(0, "t"));
        everyCommandEndsIt(THREE, State.COUNTING, logs -> {
            logs.unique(0, "t");
            logs.unique(2, "t");
        });
    }

    @Test
    void aPartitionStatementThatIsStillToBeWritten() {
        everyCommandEndsIt(TWO, State.COUNTING, logs -> {
            logs.block(1);
            logs.waitsForOther(1, 0);
            logs.partition(0, "t");
            logs.partition(1, "t");
        });
    }

    @Test
    void aTransactionAtWhichAShardIsHeld() {
        everyCommandEndsIt(TWO, State.HELD, logs -> {
            logs.block(0);
            logs.alter(0, "t");
            logs.hold(0, new Question(ErrorCode.SCHEMA_MIXED, "why"));
        });
    }

    // ---- wrong decisions

    private static void isRefused(SchemaLogs logs, DdlDecision order, String expected) {
        List<SchemaItem> items = logs.items();
        SchemaState state = logs.state();
        List<String> output = List.copyOf(logs.output());
        TributaryException refused = assertThrows(
                TributaryException.class, () -> logs.schema().watch().execute(order));
        assertEquals(ErrorCode.DECISION_REFUSED, refused.code());
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        logs.run();
        assertEquals(items, logs.items());
        assertEquals(state, logs.state());
        assertEquals(output, logs.output());
    }

    @Test
    void anUnknownOrTooShortIdIsRefused() {
        SchemaLogs logs = logs(TWO, all -> {
            all.truncate(0, "t");
            all.alter("alter-1", 1, "t");
        });
        for (Verb verb : Verb.values()) {
            isRefused(logs, new DdlDecision(verb, "gone", "", true), "found 'gone'");
            isRefused(logs, new DdlDecision(verb, "tru", "", true), "found 'tru'");
            isRefused(logs, new DdlDecision(verb, "", "", true), "found ''");
        }
    }

    @Test
    void ignoreWithoutTheRightMemberIsRefused() {
        SchemaLogs logs = logs(TWO, all -> {
            all.alter(1, "t");
            all.truncate(0, "t");
        });
        for (String member : new String[] {"", "s1:shop.t", "s0:shop.u", "s0"}) {
            isRefused(logs, new DdlDecision(Verb.IGNORE, "truncate-t", member, true), "expected --member s0:shop.t");
        }
        for (String member : new String[] {"", "s1:shop.t", "s2:shop.t"}) {
            isRefused(logs, new DdlDecision(Verb.IGNORE, "alter-t", member, true), "--member with one of [s0:shop.t]");
        }
    }

    @Test
    void removingRowsIsRefusedWithoutAcceptLoss() {
        SchemaLogs waits = logs(TWO, logs -> logs.truncate(0, "t"));
        isRefused(waits, new DdlDecision(Verb.EMIT, "truncate-t", "", false), "--accept-loss");
        isRefused(waits, new DdlDecision(Verb.DONE, "truncate-t", "", false), "--accept-loss");
        SchemaLogs partition = logs(TWO, logs -> logs.partition(0, "t"));
        isRefused(partition, new DdlDecision(Verb.EMIT, "partition-t", "", false), "--accept-loss");
        SchemaLogs pending = logs(TWO, logs -> {
            logs.truncate(0, "t");
            logs.execute(new DdlDecision(Verb.EMIT, "truncate-t", "", true));
        });
        isRefused(pending, new DdlDecision(Verb.DONE, "truncate-t", "", false), "--accept-loss");
        isRefused(pending, new DdlDecision(Verb.IGNORE, "truncate-t", "s1:shop.t", false), "--accept-loss");
        SchemaLogs counting = logs(TWO, logs -> {
            logs.block(1);
            logs.waitsForOther(1, 0);
            logs.partition(0, "t");
            logs.partition(1, "t");
        });
        isRefused(counting, new DdlDecision(Verb.EMIT, "partition-t", "", false), "--accept-loss");
        isRefused(counting, new DdlDecision(Verb.DONE, "partition-t", "", false), "--accept-loss");
    }

    @Test
    void aWrittenStatementIsNotWrittenAgainByADecision() {
        SchemaLogs logs = logs(TWO, all -> all.alter(0, "t"));
        isRefused(logs, new DdlDecision(Verb.EMIT, "alter-t", "", true), "still to be written");
    }

    @Test
    void skipIsRefusedIfNothingIsHeld() {
        isRefused(logs(TWO, logs -> logs.alter(0, "t")), new DdlDecision(Verb.SKIP, "alter-t", "", true), "holds none");
        isRefused(
                logs(TWO, logs -> logs.unique(0, "t")), new DdlDecision(Verb.SKIP, "unique-t", "", true), "holds none");
    }

    @Test
    void aHeldTransactionCanOnlyBeSkipped() {
        SchemaLogs logs = logs(TWO, all -> {
            all.block(0);
            all.alter(0, "t");
            all.hold(0, new Question(ErrorCode.SCHEMA_MIXED, "why"));
        });
        String id = logs.item(State.HELD).id();
        for (Verb verb : List.of(Verb.EMIT, Verb.IGNORE, Verb.DONE)) {
            isRefused(logs, new DdlDecision(verb, id, "s0:shop.t", true), "tributary ddl skip");
        }
    }

    // ---- the effect of decisions

    @Test
    void aDecisionForAStatementThatNeedNotWaitDoesNotApplyToALaterOne() {
        SchemaLogs logs = logs(THREE, all -> {
            all.truncate(0, "t");
            all.truncate(1, "t");
            all.schema().watch().execute(new DdlDecision(Verb.IGNORE, "truncate-t", "s1:shop.t", false));
            all.truncate(2, "t"); // comes before the order is carried out
        });
        assertEquals(List.of("truncate-t@s0"), logs.output());
        logs.isComplete();
        for (int shard = 0; shard < 3; shard++) {
            logs.truncate(shard, "t");
        }
        assertEquals(List.of("truncate-t@s0", "truncate-t@s0"), logs.output());
        logs.isComplete();
    }

    @Test
    void aDecisionIsExecutedAfterAStart() {
        for (Verb verb : EnumSet.complementOf(EnumSet.of(Verb.TEXT))) { // TEXT is for statements that change columns
            SchemaLogs logs = logs(TWO, all -> all.truncate(0, "t"));
            logs.schema()
                    .watch()
                    .execute(new DdlDecision(verb, "truncate-t", verb == Verb.IGNORE ? "s0:shop.t" : "", true));
            assertEquals(1, logs.state().decisions().size());
            logs.restart();
            logs.run();
            boolean isWritten = verb == Verb.EMIT || verb == Verb.DONE;
            assertEquals(isWritten ? List.of("truncate-t@s0") : List.of(), logs.output());
            assertEquals(List.of(), logs.state().decisions());
            assertEquals(verb == Verb.EMIT ? 1 : 0, logs.items().size());
            assertEquals(verb == Verb.EMIT ? "left out" : "", logs.rows(1, "t"));
        }
    }
}
