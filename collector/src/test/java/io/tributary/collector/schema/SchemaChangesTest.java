package io.tributary.collector.schema;

import static io.tributary.collector.schema.SchemaLogs.scenario;
import static io.tributary.collector.schema.SchemaLogs.shards;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.schema.SchemaItem.State;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlDecision.Verb;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.testkit.order.NamedTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which statements are written, which wait, and what happens to rows meanwhile; each scenario also with restarts at every point. */
class SchemaChangesTest {
    private static final String[] TWO_BY_TWO = shards("t_0 t_1", "t_0 t_1");
    private static final String[] TWO = shards("t", "t");
    private static final String[] THREE = shards("t", "t", "t");

    // ---- statements that create

    @Test
    void aCreateIsWrittenOnlyAtTheFirstMember() {
        scenario(shards("", ""), logs -> {
            logs.create(0, "t_0");
            logs.wrote("create-t@s0");
            logs.create(0, "t_1");
            logs.create(1, "t_0");
            logs.create(1, "t_1");
            logs.wrote("create-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aCreateOfAMemberIsNotWrittenWhileAnotherShardHasTheTable() {
        scenario(shards("t_0", ""), logs -> {
            logs.create(1, "t_5");
            logs.create(0, "t_1");
            logs.wrote();
            logs.isComplete();
        });
    }

    @Test
    void aCreateAfterADropIsWrittenAgain() {
        scenario(TWO, logs -> {
            logs.drop(0, "t");
            logs.drop(1, "t");
            logs.create(1, "t");
            logs.create(0, "t");
            logs.wrote("drop-t@s0", "create-t@s1");
            logs.isComplete();
        });
    }

    @Test
    void aTableThatWasDroppedAndCreatedAgainKeepsItsNewRowsWhileAnotherShardLags() {
        scenario(TWO, logs -> {
            logs.block(1);
            logs.drop(1, "t");
            logs.drop(0, "t");
            logs.create(0, "t");
            logs.wrote("drop-t@s0", "create-t@s0");
            assertEquals("", logs.rows(0, "t"));
            assertEquals("left out", logs.rows(1, "t"));
            logs.create(1, "t");
            logs.unblock(1);
            assertEquals("", logs.rows(1, "t"));
            logs.wrote("drop-t@s0", "create-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aTruncateIsExpectedOfADroppedMemberThatWillBeCreatedAgain() {
        scenario(TWO, logs -> {
            logs.drop(0, "t");
            logs.drop(1, "t");
            logs.block(1);
            logs.create(0, "t");
            logs.create(1, "t");
            logs.truncate(1, "t");
            logs.truncate(0, "t");
            logs.wrote("drop-t@s0", "create-t@s0", "truncate-t@s0");
            logs.unblock(1);
            logs.wrote("drop-t@s0", "create-t@s0", "truncate-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aSecondPartitionStatementOfAMemberIsCountedWhileOthersOfItsShardLackTheFirst() {
        scenario(shards("t_0 t_1"), logs -> {
            logs.partition(0, "t_0");
            logs.partition(0, "t_0");
            logs.partition(0, "t_1");
            logs.wrote("partition-t@s0");
            logs.partition(0, "t_1");
            logs.wrote("partition-t@s0", "partition-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aDropIsReceivedAlthoughItsMemberWillBeRenamed() {
        scenario(shards("t_0 t_1"), logs -> {
            logs.rename(0, "t_0", "u_0");
            logs.drop(0, "u_0");
            logs.rename(0, "t_1", "u_1");
            logs.drop(0, "u_1");
            logs.wrote("rename-t@s0", "drop-u@s0");
            logs.isComplete();
        });
    }

    @Test
    void aSchemaIsCreatedOnce() {
        scenario(TWO, logs -> {
            logs.dropSchema(0);
            logs.dropSchema(1);
            logs.createSchema(0);
            logs.createSchema(1);
            logs.wrote("drop-schema@s0", "create-schema@s0");
            logs.isComplete();
        });
    }

    @Test
    void createIfNotExistsIsWrittenAlthoughALaterListHasTheTable() {
        scenario(shards("", ""), logs -> {
            logs.block(0);
            logs.block(1);
            logs.createIfNotExists(0, "t");
            logs.createIfNotExists(1, "t");
            logs.unblock(0);
            logs.wrote("create-t@s0");
            logs.unblock(1);
            logs.wrote("create-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void createIfNotExistsIsWrittenAlthoughALaterStatementWasReceived() {
        scenario(shards("", ""), logs -> {
            logs.block(0);
            logs.createIfNotExists(0, "t");
            logs.alter(0, "t");
            logs.unblock(0);
            logs.wrote("create-t@s0", "alter-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void createIfNotExistsWithoutEffectIsNotWrittenWhileAnotherShardHasTheTable() {
        scenario(TWO, logs -> {
            logs.createIfNotExists(0, "t");
            logs.createIfNotExists(1, "t");
            assertTrue(logs.output().size() <= 1, "at most one, which has no effect on a replica:  " + logs.output());
            logs.isComplete();
        });
    }

    // ---- statements that change

    @Test
    void aStatementOnATableOfOneShardIsCompleteAtOnce() {
        scenario(shards("own", ""), logs -> {
            logs.alter(0, "own");
            logs.isComplete();
            logs.unique(0, "own");
            logs.isComplete();
            logs.truncate(0, "own");
            logs.isComplete();
            logs.partition(0, "own");
            logs.isComplete();
            logs.drop(0, "own");
            logs.isComplete();
            logs.wrote("alter-own@s0", "unique-own@s0", "truncate-own@s0", "partition-own@s0", "drop-own@s0");
        });
    }

    @Test
    void fourThousandStatementsOfOneShardLeaveNothingInTheCut() {
        SchemaLogs.withAndWithoutRestarts(shards("own", "t", "t"), logs -> {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 4000; i++) {
                logs.alter("alter-" + i, 0, "own");
                expected.add("alter-" + i + "@s0");
            }
            assertEquals(expected, logs.output());
            logs.isComplete();
        });
    }

    @Test
    void anAlterIsCountedByMember() {
        scenario(TWO_BY_TWO, logs -> {
            logs.alter(0, "t_0");
            assertEquals(
                    List.of("s0:shop.t_1", "s1:shop.t_0", "s1:shop.t_1"),
                    logs.item(State.PENDING).lacks());
            logs.alter(1, "t_1");
            logs.alter(0, "t_1");
            assertEquals(List.of("s1:shop.t_0"), logs.item(State.PENDING).lacks());
            logs.alter(1, "t_0");
            logs.isComplete();
            logs.wrote("alter-t@s0");
        });
    }

    @Test
    void theKthArrivalOnAMemberBelongsToTheKthTimeThatItWasWritten() {
        scenario(TWO_BY_TWO, logs -> {
            logs.index(0, "t_0");
            logs.index(0, "t_0");
            logs.wrote("index-t@s0", "index-t@s0");
            for (int shard = 0; shard < 2; shard++) {
                logs.index(shard, "t_1");
                logs.index(shard, "t_1");
            }
            logs.index(1, "t_0");
            assertEquals(List.of("s1:shop.t_0"), logs.item(State.PENDING).lacks());
            logs.index(1, "t_0");
            logs.isComplete();
            logs.index(1, "t_0");
            logs.wrote("index-t@s0", "index-t@s0", "index-t@s1");
        });
    }

    @Test
    void aMissingAlterIsReportedForRowsOfTheMembersThatLackIt() {
        scenario(TWO, logs -> {
            logs.alter(0, "t");
            TableRef ref = NamedTables.table(1, "shop", "t");
            assertEquals(
                    1, logs.schema().changes().missing(logs.indexOf(1), ref).size());
            assertEquals(List.of(), logs.schema().changes().missing(logs.indexOf(0), ref));
            logs.index(0, "t");
            assertEquals(
                    1, logs.schema().changes().missing(logs.indexOf(1), ref).size(), "an index changes no row");
        });
    }

    // ---- statements that add a constraint

    @Test
    void aConstraintIsWrittenAtTheLastMember() {
        scenario(TWO_BY_TWO, logs -> {
            logs.unique(0, "t_0");
            logs.unique(1, "t_0");
            logs.unique(1, "t_1");
            logs.wrote();
            assertEquals(List.of("s0:shop.t_1"), logs.item(State.COUNTING).lacks());
            logs.unique(0, "t_1");
            logs.wrote("unique-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aConstraintIsWrittenWhenTheLastMemberThatLacksItIsDropped() {
        scenario(THREE, logs -> {
            logs.unique(0, "t");
            logs.unique(1, "t");
            logs.drop(2, "t");
            logs.wrote();
            logs.execute(new DdlDecision(Verb.IGNORE, "drop-t", "s2:shop.t", false));
            logs.wrote("unique-t@");
            logs.isComplete();
        });
    }

    @Test
    void aConstraintIsWrittenWhenTheShardThatLacksItLeaves() {
        scenario(THREE, logs -> {
            logs.unique(0, "t");
            logs.unique(1, "t");
            logs.leave(2);
            logs.wrote("unique-t@");
            logs.isComplete();
        });
    }

    @Test
    void aConstraintOfAShardThatLeftIsForgotten() {
        scenario(TWO, logs -> {
            logs.unique(0, "t");
            logs.leave(0);
            logs.wrote();
            logs.isComplete();
            logs.unique(1, "t");
            logs.wrote("unique-t@s1");
        });
    }

    @Test
    void aConstraintIsNeverWrittenToATableThatWasDropped() {
        scenario(THREE, logs -> {
            logs.unique(0, "t");
            logs.unique(1, "t");
            logs.block(1);
            logs.block(2);
            logs.drop(0, "t");
            logs.drop(1, "t");
            logs.drop(2, "t");
            logs.wrote("drop-t@s0");
            logs.unblock(1);
            logs.unblock(2);
            logs.wrote("drop-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aConstraintThatBecameDueIsWrittenAfterARestartToo() {
        SchemaLogs logs = new SchemaLogs(step -> false, THREE);
        logs.unique(0, "t");
        logs.unique(1, "t");
        logs.drop(2, "t");
        logs.block(0);
        logs.schema().watch().execute(new DdlDecision(Verb.DONE, "unique-t", "", false));
        logs.restart();
        logs.run();
        logs.wrote("unique-t@");
    }

    @Test
    void aConstraintThatWasOrderedTwiceIsWrittenOnce() {
        SchemaLogs logs = new SchemaLogs(step -> false, TWO);
        logs.unique(0, "t");
        logs.schema().watch().execute(new DdlDecision(Verb.DONE, "unique-t", "", false));
        logs.schema().watch().execute(new DdlDecision(Verb.EMIT, "unique-t", "", false));
        logs.run();
        logs.wrote("unique-t@");
    }

    @Test
    void aConstraintThatIsOrderedBeforeAStartIsStillExpectedOfTheOthers() {
        SchemaLogs logs = new SchemaLogs(step -> false, TWO);
        logs.unique(0, "t");
        logs.schema().watch().execute(new DdlDecision(Verb.EMIT, "unique-t", "", false));
        logs.restart();
        logs.run();
        logs.wrote("unique-t@");
        assertEquals(List.of("s1:shop.t"), logs.item(State.PENDING).lacks());
        logs.unique(1, "t");
        logs.wrote("unique-t@");
        logs.isComplete();
    }

    // ---- statements that remove or empty

    @Test
    void aDropWaitsForAllMembersAlsoThoseOfTheSameShard() {
        scenario(TWO_BY_TWO, logs -> {
            logs.drop(0, "t_0");
            SchemaItem item = logs.item(State.WAITING);
            assertEquals(List.of("s0:shop.t_0"), item.has());
            assertEquals(List.of("s0:shop.t_1", "s1:shop.t_0", "s1:shop.t_1"), item.lacks());
            logs.drop(1, "t_0");
            logs.drop(1, "t_1");
            logs.wrote();
            assertEquals(List.of("s0:shop.t_1"), logs.item(State.WAITING).lacks());
            logs.drop(0, "t_1");
            logs.wrote("drop-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void rowsOfMembersThatLagAreLeftOutAfterATruncate() {
        scenario(TWO_BY_TWO, logs -> {
            logs.block(1);
            logs.truncate(1, "t_0");
            logs.truncate(1, "t_1");
            logs.truncate(0, "t_0");
            logs.wrote();
            logs.truncate(0, "t_1");
            logs.wrote("truncate-t@s0");
            assertEquals("", logs.rows(0, "t_0"));
            assertEquals("", logs.rows(0, "t_1"));
            assertEquals("left out", logs.rows(1, "t_0"));
            assertEquals("left out", logs.rows(1, "t_1"));
            logs.unblock(1);
            assertEquals("", logs.rows(1, "t_0"));
            logs.isComplete();
            logs.wrote("truncate-t@s0");
        });
    }

    @Test
    void twoTruncatesInARowAreWrittenTwice() {
        scenario(TWO, logs -> {
            logs.truncate(0, "t");
            logs.truncate(0, "t");
            logs.wrote();
            logs.truncate(1, "t");
            logs.wrote("truncate-t@s0");
            assertEquals(List.of("s1:shop.t"), logs.item(State.WAITING).lacks());
            logs.truncate(1, "t");
            logs.wrote("truncate-t@s0", "truncate-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void twoTruncatesInARowOfAShardThatLagsLeaveItsRowsOutUpToTheSecond() {
        scenario(TWO, logs -> {
            logs.block(1);
            logs.truncate(1, "t");
            logs.truncate(1, "t");
            logs.truncate(0, "t");
            logs.truncate(0, "t");
            logs.wrote("truncate-t@s0", "truncate-t@s0");
            assertEquals("left out", logs.rows(1, "t"));
            logs.unblock(1);
            assertEquals("", logs.rows(1, "t"));
            logs.isComplete();
        });
    }

    @Test
    void aDropSchemaCountsAsADropTable() {
        scenario(TWO, logs -> {
            logs.drop(0, "t");
            logs.wrote();
            logs.dropSchema(1);
            logs.wrote("drop-t@s0");
            assertEquals(List.of("s0:shop"), logs.item(State.WAITING).lacks());
            logs.dropSchema(0);
            logs.wrote("drop-t@s0", "drop-schema@s0");
            logs.isComplete();
        });
    }

    @Test
    void aDropSchemaWaitsByShardAndLeavesOutLaterChangesOfLaggingShards() {
        scenario(shards("t u", "t u", "u"), logs -> {
            logs.block(1);
            logs.alter(1, "t");
            logs.truncate(1, "u");
            logs.dropSchema(1);
            logs.dropSchema(0);
            assertEquals(List.of("s2:shop"), logs.item(State.WAITING).lacks());
            logs.wrote();
            logs.dropSchema(2);
            logs.wrote("drop-schema@s0");
            assertEquals("left out", logs.rows(1, "t"));
            assertEquals("left out", logs.rows(1, "u"));
            logs.unblock(1);
            logs.wrote("drop-schema@s0");
            logs.isComplete();
        });
    }

    @Test
    void ifExistsWithoutEffectDoesNotWaitAndIsNotWritten() {
        scenario(shards("t", "", "t"), logs -> {
            logs.dropIfExists(1, "t");
            logs.wrote();
            logs.isComplete();
        });
    }

    @Test
    void dropIfExistsWaitsForAllMembersAlthoughLaterListsLackThem() {
        scenario(TWO, logs -> {
            logs.block(0);
            logs.block(1);
            logs.dropIfExists(0, "t");
            logs.dropIfExists(1, "t");
            logs.unblock(0);
            logs.wrote("drop-t@s0");
            assertEquals("left out", logs.rows(1, "t"));
            logs.unblock(1);
            logs.wrote("drop-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void eachPartOfADropOfSeveralTablesIsDecidedSeparately() {
        scenario(shards("t own", "t"), logs -> {
            Part first =
                    new Part(DdlKind.WAIT, "drop-own", true, false, List.of(SchemaLogs.target(Effect.REMOVES, "own")));
            Part second =
                    new Part(DdlKind.WAIT, "drop-t", true, false, List.of(SchemaLogs.target(Effect.REMOVES, "t")));
            logs.log(0, SchemaLogs.ddl(first, second));
            logs.wrote();
            assertEquals("drop-t", logs.item(State.WAITING).id());
            logs.drop(1, "t");
            logs.wrote("drop-own@s0", "drop-t@s0");
            logs.isComplete();
        });
    }

    // ---- renames

    @Test
    void rowsOfMembersThatLackARenameGetTheNewName() {
        scenario(THREE, logs -> {
            logs.rename(0, "t", "u");
            logs.wrote("rename-t@s0");
            assertEquals("u", logs.rows(1, "t"));
            assertEquals("", logs.rows(0, "u"));
            logs.rename(1, "t", "u");
            assertEquals("", logs.rows(1, "u"));
            assertEquals("u", logs.rows(2, "t"));
            logs.rename(2, "t", "u");
            logs.wrote("rename-t@s0");
            logs.isComplete();
            logs.alter(2, "u");
            assertEquals(
                    List.of("s0:shop.u", "s1:shop.u"), logs.item(State.PENDING).lacks());
        });
    }

    @Test
    void aRenameOfSeveralTablesWaitsForAllMembersOfEach() {
        scenario(shards("t next", "t next"), logs -> {
            logs.block(1);
            logs.rename(0, "t", "old", "next", "t");
            logs.wrote();
            assertEquals(
                    List.of("s1:shop.t", "s1:shop.next"),
                    logs.item(State.WAITING).lacks());
            logs.rename(1, "t", "old", "next", "t");
            logs.wrote("rename-t@s0");
            assertEquals("old", logs.rows(1, "t"));
            assertEquals("t", logs.rows(1, "next"));
            logs.unblock(1);
            logs.wrote("rename-t@s0");
            assertEquals("", logs.rows(1, "t"));
            logs.isComplete();
        });
    }

    @Test
    void rowsGetTheLastOfSeveralNamesOfOneStatement() {
        scenario(TWO, logs -> {
            logs.block(1);
            logs.rename(0, "t", "m", "m", "u");
            logs.rename(1, "t", "m", "m", "u");
            logs.wrote("rename-t@s0");
            assertEquals("u", logs.rows(1, "t"));
            logs.unblock(1);
            logs.wrote("rename-t@s0");
            assertEquals("", logs.rows(1, "u"));
            logs.isComplete();
        });
    }

    @Test
    void aScriptThatRenamesAndChangesATableRunsOnOneShardAfterAnother() {
        scenario(TWO, logs -> {
            logs.rename(0, "t", "u");
            logs.alter("alter-u", 0, "u");
            logs.rename(0, "u", "w");
            logs.index(0, "w");
            logs.rename(1, "t", "u");
            logs.alter("alter-u", 1, "u");
            logs.rename(1, "u", "w");
            logs.index(1, "w");
            logs.wrote("rename-t@s0", "alter-u@s0", "rename-u@s0", "index-w@s0");
            logs.isComplete();
        });
    }

    @Test
    void aScriptThatCreatesAndChangesATableRunsOnOneShardAfterAnother() {
        scenario(shards("", ""), logs -> {
            logs.create(0, "t");
            logs.alter("alter-t", 0, "t");
            logs.unique(0, "t");
            logs.create(1, "t");
            logs.alter("alter-t", 1, "t");
            logs.unique(1, "t");
            logs.wrote("create-t@s0", "alter-t@s0", "unique-t@s0");
            logs.isComplete();
        });
    }

    // ---- partitions

    @Test
    void aPartitionStatementIsWrittenOnceAllShardsHaveReachedIt() {
        scenario(TWO, logs -> {
            logs.partition(0, "t");
            assertEquals(List.of("s1:shop.t"), logs.item(State.WAITING).lacks());
            logs.block(1);
            logs.partition(1, "t");
            logs.wrote();
            assertEquals(List.of(), logs.item(State.WAITING).lacks());
            assertTrue(logs.item(State.WAITING).message().contains("all transactions before"));
            assertTrue(logs.schema().changes().dependsOnQueues());
            logs.unblock(1);
            logs.wrote("partition-t@s0");
            assertEquals("", logs.rows(1, "t"));
            logs.isComplete();
        });
    }

    @Test
    void anExchangePartitionIsWrittenOnceAllShardsHaveReachedIt() {
        scenario(TWO_BY_TWO, logs -> {
            logs.exchange(0, "t_0", "own");
            logs.exchange(0, "t_1", "own");
            logs.block(1);
            logs.exchange(1, "t_0", "own");
            logs.exchange(1, "t_1", "own");
            logs.wrote();
            logs.unblock(1);
            assertEquals(1, logs.output().size(), logs.output()::toString);
            logs.isComplete();
        });
    }

    @Test
    void aPartitionStatementOfSeveralMembersOnEachShardIsWrittenAtTheLastOnes() {
        scenario(TWO_BY_TWO, logs -> {
            logs.partition(0, "t_0");
            logs.partition(0, "t_1");
            logs.block(1);
            logs.partition(1, "t_0");
            logs.partition(1, "t_1");
            logs.wrote();
            logs.unblock(1);
            assertEquals(1, logs.output().size(), logs.output()::toString);
            logs.isComplete();
        });
    }

    @Test
    void aShardContinuesIfAnotherCannotReachItsPartitionStatementBefore() {
        scenario(TWO, logs -> {
            logs.block(1);
            logs.waitsForOther(1, 0);
            logs.partition(0, "t");
            logs.wrote();
            logs.partition(1, "t");
            logs.wrote();
            assertEquals(List.of("s0:shop.t"), logs.item(State.COUNTING).has());
            assertEquals(List.of("s1:shop.t"), logs.item(State.COUNTING).lacks());
            logs.unblock(1);
            logs.wrote("partition-t@s1");
            logs.isComplete();
        });
    }

    // ---- statements that are counted by shard

    @Test
    void unknownStatementsAreCountedByShard() {
        scenario(shards("t", "", "t_0 t_1"), logs -> {
            logs.text("view-1", 1);
            assertEquals(List.of("s0", "s2"), logs.item(State.PENDING).lacks());
            logs.text("view-1", 0);
            logs.text("view-1", 2);
            logs.wrote("view-1@s1");
            logs.isComplete();
        });
    }

    @Test
    void aWarnedStatementThatIsCountedByShardBecomesComplete() {
        scenario(TWO, logs -> {
            logs.text("view-1", 1);
            logs.pass(0);
            logs.pass(120);
            logs.text("view-1", 0);
            logs.wrote("view-1@s1");
            logs.isComplete();
        });
    }

    @Test
    void atMostAThousandStatementsAreCountedByShard() {
        SchemaLogs logs = new SchemaLogs(step -> step % 100 == 0, TWO);
        logs.alter(0, "t");
        for (int i = 0; i < 1500; i++) {
            logs.text("text-" + i, 0);
        }
        assertEquals(1501, logs.output().size());
        assertEquals(1001, logs.state().pending().size());
        logs.text("text-1499", 1);
        logs.text("text-500", 1);
        assertEquals(1501, logs.output().size(), "still expected");
        logs.text("text-499", 1);
        assertEquals(1502, logs.output().size(), "forgotten, so written again");
    }

    @Test
    void aStatementOfSeveralNamesCountsOnceForEachShard() {
        scenario(TWO, logs -> {
            Part part = new Part(
                    DdlKind.TEXT,
                    "drop-views",
                    false,
                    false,
                    List.of(SchemaLogs.target(Effect.CHANGES, "v"), SchemaLogs.target(Effect.CHANGES, "w")));
            logs.log(0, SchemaLogs.ddl(part));
            logs.log(0, SchemaLogs.ddl(part));
            logs.log(1, SchemaLogs.ddl(part));
            assertEquals(List.of("s1"), logs.item(State.PENDING).lacks());
            logs.log(1, SchemaLogs.ddl(part));
            logs.wrote("drop-views@s0", "drop-views@s0");
            logs.isComplete();
        });
    }

    // ---- lists

    @Test
    void aStatementWaitsWhileTheTablesOfAShardAreNotKnown() {
        SchemaLogs logs = new SchemaLogs(step -> false, TWO);
        logs.unlist(1);
        logs.restart();
        logs.alter(0, "t");
        logs.text("view-1", 0);
        logs.wrote();
        assertTrue(logs.item(State.WAITING).message().contains("list of tables of shard s1"));
        assertEquals(List.of(), logs.state().questions(), "no question to an operator");
        logs.relist(1);
        logs.wrote("alter-t@s0", "view-1@s0");
        assertEquals(List.of("s1:shop.t"), logs.items().get(0).lacks());
    }

    @Test
    void aListIsKnownOnceAllGtidsOfItsShardWereReceived() {
        Tokens log = new Tokens(0);
        SchemaOrder schema = SchemaOrder.of(Tokens.firstCut(1), 0, 1);
        Token alter = log.ddl(TestSchema.alter("alter-t", "t"), null);
        Token round = log.round(1);
        GtidSet executed = log.executed();
        schema.changes().received(alter);
        schema.changes().tables(0, TestSchema.names(executed, List.of()));
        assertFalse(schema.changes().mayProcess(alter, Queues.HOLD_EACH_OTHER));
        long version = schema.changes().version();
        schema.changes().received(round);
        assertTrue(schema.changes().version() > version, "the shard is tried again");
        assertTrue(schema.changes().mayProcess(alter, Queues.HOLD_EACH_OTHER));
    }

    // ---- shards that join and leave

    @Test
    void aStatementIsExpectedOfAShardThatJoins() {
        scenario(TWO, logs -> {
            logs.alter(0, "t");
            logs.join("t_0 t_1");
            logs.alter(1, "t");
            assertEquals(
                    List.of("s2:shop.t_0", "s2:shop.t_1"),
                    logs.item(State.PENDING).lacks());
            logs.alter(2, "t_0");
            logs.alter(2, "t_1");
            logs.wrote("alter-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aStatementIsNotExpectedOfAShardThatHadItBeforeItJoined() {
        scenario(TWO, logs -> {
            logs.alter(0, "t");
            logs.join("t", "alter-t");
            logs.alter(1, "t");
            logs.wrote("alter-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aStatementCountedByShardIsExpectedOfAShardThatJoins() {
        scenario(TWO, logs -> {
            logs.text("view-1", 0);
            logs.join("t");
            logs.text("view-1", 1);
            logs.text("view-1", 2);
            logs.wrote("view-1@s0");
            logs.isComplete();
        });
    }

    @Test
    void aTruncateThatWaitsIsExpectedOfAShardThatJoins() {
        scenario(TWO, logs -> {
            logs.truncate(0, "t");
            logs.join("t");
            logs.truncate(1, "t");
            logs.wrote();
            assertEquals(List.of("s2:shop.t"), logs.item(State.WAITING).lacks());
            logs.truncate(2, "t");
            logs.wrote("truncate-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void aLeavingShardRemovesItsMembers() {
        scenario(THREE, logs -> {
            logs.alter(0, "t");
            logs.text("view-1", 0);
            logs.truncate(0, "t");
            logs.truncate(2, "t");
            logs.leave(1);
            logs.wrote("alter-t@s0", "view-1@s0", "truncate-t@s0");
            logs.alter(2, "t");
            logs.text("view-1", 2);
            logs.wrote("alter-t@s0", "view-1@s0", "truncate-t@s0");
            logs.isComplete();
        });
    }

    @Test
    void theShardAtWhichAStatementWaitsLeaves() {
        scenario(TWO, logs -> {
            logs.truncate(0, "t");
            logs.leave(0);
            logs.isComplete();
            logs.truncate(1, "t");
            logs.wrote("truncate-t@s1");
        });
    }
}
