package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Marker rows, and the order in which they let a shard's tokens leave: events made by hand. */
class TsoExtractTest {
    private static final TableName MARKER = new TableName("tributary", "commit_tso");

    private static ExtractOrder order(long from) {
        Cut start = new Cut(
                1,
                1,
                new Cut.Sources(List.of(), Set.of()),
                new Cut.OutputPoint(0, 0, from),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        return ExtractOrder.tso(MARKER, Duration.ofNanos(1), start, new RoundRequest());
    }

    private static List<SeenToken> read(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript(order(0))) {
            return events.apply(script).tokens();
        }
    }

    private static List<String> leaves(UnaryOperator<EventScript> events) {
        return read(events).stream()
                .map(seen -> seen.kind() + " " + seen.token().gno() + " at "
                        + seen.token().tso())
                .toList();
    }

    private static TributaryException refused(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript(order(0))) {
            TributaryException e = assertThrows(TributaryException.class, () -> events.apply(script));
            assertTrue(e.getMessage().startsWith("shard s1 at binlog.000001:"), e.getMessage());
            return e;
        }
    }

    private static EventScript local(EventScript script) {
        return script.gtid().begin().tableMap(1, "d", "t").rows(1, true).xid();
    }

    private static EventScript local(EventScript script, long tso) {
        return script.gtid()
                .begin()
                .tableMap(1, "d", "t")
                .rows(1, true)
                .marker(2, tso)
                .xid();
    }

    private static EventScript prepare(EventScript script, String gtrid, long... tso) {
        return prepare(script, gtrid, "b", tso);
    }

    private static EventScript prepare(EventScript script, String gtrid, String bqual, long... tso) {
        Xid xid = new Xid(gtrid.getBytes(StandardCharsets.UTF_8), bqual.getBytes(StandardCharsets.UTF_8), 1);
        script.gtid()
                .query("", "XA START '" + gtrid + "','" + bqual + "',1")
                .tableMap(1, "d", "t")
                .rows(1, true);
        if (tso.length > 0) {
            script.marker(2, tso);
        }
        return script.query("", "XA END '" + gtrid + "','" + bqual + "',1").xaPrepare(xid, false);
    }

    private static EventScript commit(EventScript script, String gtrid) {
        return script.gtid().query("", "XA COMMIT '" + gtrid + "','b',1");
    }

    private static EventScript rollBack(EventScript script, String gtrid) {
        return script.gtid().query("", "XA ROLLBACK '" + gtrid + "','b',1");
    }

    @Test
    void readsTheTsoOfAMarkerRowAndLeavesTheRowOut() {
        SeenToken token = read(s -> local(s, 1L << 62)).get(0);
        assertEquals(TokenKind.LOCAL, token.kind());
        assertEquals(1L << 62, token.token().tso());
        assertEquals(List.of("MAP d.t", "WRITE d.t."), token.events());
        List<SeenToken> branch = read(s -> commit(prepare(s, "g", 7), "g"));
        assertEquals(List.of("MAP d.t", "WRITE d.t."), branch.get(0).events());
        assertEquals(7, branch.get(0).token().tso());
        assertEquals(7, branch.get(1).token().tso());
    }

    @Test
    void aMarkerRowAloneIsATransactionWithoutRows() {
        assertEquals(
                List.of("SKIPPED 1 at 5", "LOCAL 2 at -5"),
                leaves(s -> local(s.gtid().begin().marker(2, 5).xid())));
    }

    @Test
    void otherTablesOfItsSchemaHaveNoTso() {
        assertEquals(
                List.of("SKIPPED 1 at 0"),
                leaves(s -> s.gtid()
                        .begin()
                        .tableMap(3, "tributary", "other")
                        .rows(3, true)
                        .xid()));
    }

    @Test
    void inXaOrderTheMarkerTableIsAnyTable() {
        try (EventScript script = new EventScript()) {
            assertEquals(0, local(script, 5).tokens().get(0).token().tso());
        }
    }

    @Test
    void branchesLeaveInTsoOrderOnceTheBranchesBeforeThemAreDecided() {
        assertEquals(
                List.of(
                                "PREPARE 1 at 3",
                                "COMMIT 5 at 3",
                                "LOCAL 6 at -3",
                                "PREPARE 2 at 4",
                                "COMMIT 7 at 4",
                                "PREPARE 3 at 8",
                                "COMMIT 4 at 8",
                                "LOCAL 8 at -8")
                        .stream()
                        .filter(token -> !token.startsWith("LOCAL 6"))
                        .toList(),
                leaves(s -> {
                            prepare(prepare(prepare(s, "a", 3), "b", 4), "c", 8);
                            commit(commit(s, "c"), "a");
                            s.gtid().begin().xid(); // nothing: directly after 8, as in the log
                            return local(commit(s, "b"));
                        })
                        .stream()
                        .filter(token -> !token.startsWith("SKIPPED"))
                        .toList());
    }

    @Test
    void tokensDoNotWaitForAnUndecidedBranchWithALargerTso() {
        assertEquals(
                List.of("PREPARE 2 at 4", "COMMIT 3 at 4", "LOCAL 4 at -4"),
                leaves(s -> local(commit(prepare(prepare(s, "far", 9), "near", 4), "near"))));
    }

    @Test
    void tokensAfterAWaitingTsoWaitWithIt() {
        assertEquals(
                List.of("LOCAL 1 at 0"),
                leaves(s -> local(commit(prepare(prepare(local(s), "open", 3), "next", 5), "next"))));
    }

    @Test
    void transactionsThatEndedBeforeAShardJoinedAreIgnored() {
        try (EventScript script = EventScript.joining(order(4), 6)) {
            commit(script, "unknown"); // prepared before the first event that is read
            local(script, 70); // of another coordinator
            commit(prepare(prepare(script, "ended", 3), "open", 9), "ended");
            rollBack(script, "unknown too");
            local(commit(script, "open"));
            assertEquals(
                    List.of(
                            "SKIPPED 1 at -4",
                            "SKIPPED 2 at -4",
                            "SKIPPED 3 at -4",
                            "SKIPPED 5 at -4",
                            "SKIPPED 6 at -4",
                            "PREPARE 4 at 9",
                            "COMMIT 7 at 9",
                            "LOCAL 8 at -9"),
                    script.tokens().stream()
                            .map(seen -> seen.kind() + " " + seen.token().gno() + " at "
                                    + seen.token().tso())
                            .toList());
        }
    }

    @Test
    void tokensDoNotWaitForARolledBackBranch() {
        assertEquals(
                List.of("SKIPPED 1 at 3", "ROLLBACK 4 at 3", "PREPARE 2 at 5", "COMMIT 3 at 5"),
                leaves(s -> rollBack(commit(prepare(prepare(s, "open", 3), "next", 5), "next"), "open")));
    }

    @Test
    void showsTheOldestUndecidedBranchWithTheTokensThatWait() throws InterruptedException {
        try (EventScript script = new EventScript(order(0))) {
            commit(prepare(prepare(script, "open", 3), "next", 5), "next");
            String shown = script.scrape();
            assertTrue(shown.contains("tributary_extract_held{shard=\"s1\"} 3.0"), shown);
            rollBack(script, "open");
            shown = script.scrape();
            assertTrue(shown.contains("tributary_extract_held{shard=\"s1\"} 0.0"), shown);
            assertTrue(shown.contains("tributary_extract_undecided_seconds{shard=\"s1\"} 0.0"), shown);
        }
    }

    @Test
    void twoBranchesOfOneTransactionOnOneShardHaveTheSameTso() {
        assertEquals(List.of("PREPARE 1 at 3", "COMMIT 3 at 3", "PREPARE 2 at 3", "COMMIT 4 at 3"), leaves(s -> {
            prepare(prepare(s, "g", "b", 3), "g", "c", 3);
            return commit(s, "g").gtid().query("", "XA COMMIT 'g','c',1");
        }));
    }

    @Test
    void refusesATsoThatRepeats() {
        TributaryException again = refused(s -> local(local(s, 5), 5));
        assertEquals(ErrorCode.TSO_REFUSED, again.code());
        assertTrue(again.getMessage().contains("found 5, the same again"), again.getMessage());
        TributaryException both = refused(s -> commit(commit(prepare(prepare(s, "a", 5), "c", 5), "a"), "c"));
        assertEquals(ErrorCode.TSO_REFUSED, both.code());
        assertTrue(both.getMessage().contains("'a'") && both.getMessage().contains("'c'"), both.getMessage());
    }

    @Test
    void refusesASmallerTsoWithoutAnOpenPrepare() {
        TributaryException back = refused(s -> commit(prepare(commit(prepare(s, "a", 8), "a"), "late", 5), "late"));
        assertEquals(ErrorCode.TSO_REFUSED, back.code());
        for (String named : List.of("shard s1 at binlog.000001:", "'late'", "'a'", "8", "found 5, which is smaller")) {
            assertTrue(back.getMessage().contains(named), named + " in " + back.getMessage());
        }
        // the same although the larger one still waits: on another shard it may have left
        assertEquals(
                ErrorCode.TSO_REFUSED,
                refused(s -> commit(prepare(commit(prepare(prepare(s, "open", 2), "a", 8), "a"), "late", 5), "late"))
                        .code());
    }

    @Test
    void tokensDoNotWaitForABranchPreparedTooLateForItsTsoWhichMayBeRolledBack() {
        assertEquals(
                List.of(
                        "PREPARE 1 at 8",
                        "COMMIT 2 at 8",
                        "PREPARE 4 at 9",
                        "COMMIT 5 at 9",
                        "SKIPPED 3 at -9",
                        "ROLLBACK 6 at -9",
                        "LOCAL 7 at -9"),
                leaves(s -> {
                    prepare(commit(prepare(s, "a", 8), "a"), "late", 5);
                    return local(rollBack(commit(prepare(s, "b", 9), "b"), "late"));
                }));
    }

    @Test
    void refusesAnInvalidTso() {
        TributaryException negative = refused(s -> local(s, -1));
        assertEquals(ErrorCode.TSO_REFUSED, negative.code());
        assertTrue(negative.getMessage().contains("18446744073709551615"), negative.getMessage());
        assertEquals(ErrorCode.TSO_REFUSED, refused(s -> local(s, 0)).code());
        assertEquals(
                ErrorCode.TSO_REFUSED, refused(s -> local(s, Long.MIN_VALUE)).code());
    }

    @Test
    void refusesTwoTsosInOneTransaction() {
        TributaryException two = refused(s -> prepare(s, "g", 5, 6));
        assertEquals(ErrorCode.TSO_REFUSED, two.code());
        assertTrue(two.getMessage().contains("5 and 6") && two.getMessage().contains("'g'"), two.getMessage());
        assertEquals(
                7,
                read(s -> local(s.gtid().begin().marker(2, 7, 7).xid()))
                        .get(0)
                        .token()
                        .tso());
    }

    @Test
    void refusesACommittedBranchWithoutATso() {
        TributaryException none = refused(s -> commit(prepare(s, "g"), "g"));
        assertEquals(ErrorCode.TSO_REFUSED, none.code());
        assertTrue(none.getMessage().contains("order.tso.table"), none.getMessage());
        assertEquals(List.of("SKIPPED 1 at 0", "ROLLBACK 2 at 0"), leaves(s -> rollBack(prepare(s, "g"), "g")));
    }

    /** Its marker row may be before or after the event that causes the question. */
    @Test
    void aBranchWithAQuestionHasItsTso() {
        Consumer<EventScript> statement = s -> s.query("d", "INSERT INTO t VALUES (1)");
        Consumer<EventScript> marker = s -> s.marker(2, 7);
        for (List<Consumer<EventScript>> events : List.of(List.of(statement, marker), List.of(marker, statement))) {
            List<SeenToken> tokens = read(s -> {
                s.gtid().query("", "XA START 'g','b',1");
                events.forEach(each -> each.accept(s));
                s.query("", "XA END 'g','b',1").xaPrepare(new Xid(new byte[] {'g'}, new byte[] {'b'}, 1), false);
                return commit(s, "g");
            });
            assertEquals(
                    List.of("PREPARE 7", "COMMIT 7"),
                    tokens.stream()
                            .map(each -> each.kind() + " " + each.token().tso())
                            .toList());
            assertEquals(
                    ErrorCode.STATEMENT_FORMAT, tokens.get(0).token().question().code());
        }
    }

    /** Also if it was refused because of its TSO. */
    @Test
    void aBranchThatIsLeftOutHasItsTso() {
        try (EventScript script = new EventScript(GtidSet.parse(EventScript.SERVER + ":1:5"), order(0))) {
            commit(prepare(script, "g", 7), "g");
            commit(prepare(script, "h", 9), "h");
            assertEquals(
                    List.of("PREPARE 7", "COMMIT 7", "PREPARE 9", "COMMIT 9", "SKIPPED -9"),
                    script.gtid().begin().marker(2, 0).xid().tokens().stream()
                            .map(each -> each.kind() + " " + each.token().tso())
                            .toList());
        }
    }

    @Test
    void aLocalTransactionWithAQuestionNeedsNoTso() {
        List<SeenToken> tokens = read(s -> local(
                local(s, 5)
                        .gtid()
                        .begin()
                        .query("d", "INSERT INTO t VALUES (1)")
                        .xid(),
                6));
        assertEquals(
                List.of(5L, -5L, 6L),
                tokens.stream().map(each -> each.token().tso()).toList());
        assertNotNull(tokens.get(1).token().question());
    }

    @Test
    void refusesACommitWithoutItsPrepare() {
        assertEquals(ErrorCode.BRANCH_UNKNOWN, refused(s -> commit(s, "g")).code());
    }

    @Test
    void refusesAMarkerTableWithOtherColumns() {
        TributaryException text = refused(s -> s.gtid().begin().tableMapOf(2, "tributary", "commit_tso", 3, 3));
        assertEquals(ErrorCode.SHARD_UNFIT, text.code());
        assertTrue(text.getMessage().contains("BIGINT"), text.getMessage());
    }
}
