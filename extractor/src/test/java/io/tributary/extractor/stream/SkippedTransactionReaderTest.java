package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Question;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.EventScript;
import io.tributary.extractor.SeenToken;
import io.tributary.mysql.event.EventType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A transaction that an operator ordered to leave out, or about which an operator has to decide, is skipped without its rows; no other is skipped.
 */
class SkippedTransactionReaderTest {
    private static final Xid XID = new Xid(new byte[] {'g'}, new byte[] {'b'}, 1);

    /** Reads three transactions, of which the second is left out. */
    private static List<SeenToken> read(UnaryOperator<EventScript> second) {
        try (EventScript script = new EventScript(GtidSet.parse(EventScript.SERVER + ":2"))) {
            plain(script);
            plain(second.apply(script));
            List<SeenToken> tokens = script.tokens();
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
            assertEquals(
                    List.of("MAP d.t", "WRITE d.t."),
                    tokens.get(tokens.size() - 1).events());
            return tokens;
        }
    }

    private static EventScript plain(EventScript script) {
        return script.gtid().begin().tableMap(7, "d", "t").rows(7, true).xid();
    }

    private static void assertSkips(UnaryOperator<EventScript> second) {
        List<SeenToken> tokens = read(second);
        assertEquals(3, tokens.size());
        assertEquals(TokenKind.SKIPPED, tokens.get(1).kind());
        assertEquals(2, tokens.get(1).token().gno());
    }

    @Test
    void aRefusalContainsTheCommandAndPassesWithTheOrder() {
        UnaryOperator<EventScript> rows = s -> s.gtid().begin().rows(99, true);
        try (EventScript script = new EventScript()) {
            TributaryException e = assertThrows(TributaryException.class, () -> rows.apply(plain(script)));
            assertTrue(
                    e.getMessage().endsWith("tributary shard skip s1 --gtid " + EventScript.SERVER + ":2 -c FILE"),
                    e.getMessage());
        }
        assertSkips(s -> rows.apply(s).xid());
    }

    @Test
    void rowsUnknownEventsAndLoadDataAreLeftOut() {
        assertSkips(s -> s.gtid().begin().tableMap(7, "d", "t").rows(7, true).xid());
        assertSkips(s -> s.gtid().begin().raw(120, 0, 8).query("d", "COMMIT"));
        assertSkips(s ->
                s.gtid().begin().raw(EventType.EXECUTE_LOAD_QUERY_EVENT, 0, 30).xid());
        assertSkips(s -> s.gtid().begin().rows(99, true).query("d", "ROLLBACK"));
        assertSkips(s -> s.gtid().raw(EventType.USER_VAR_EVENT, 0, 20).query("d", "CREATE TABLE t (a INT)"));
        assertSkips(s -> s.gtid().raw(120, 0, 8));
    }

    @Test
    void aBranchKeepsItsTokenWithoutRows() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("", "XA START X'67',X'62',1")
                .query("d", "INSERT INTO t VALUES (1)")
                .query("", "XA END X'67',X'62',1")
                .xaPrepare(XID, false)
                .gtid()
                .query("", "XA COMMIT X'67',X'62',1"));
        assertEquals(TokenKind.PREPARE, tokens.get(1).kind());
        assertEquals(XID, tokens.get(1).token().xid());
        assertEquals(List.of(), tokens.get(1).events());
        assertEquals(TokenKind.COMMIT, tokens.get(2).kind());
    }

    @Test
    void aCommitThatIsLeftOutCountsAsARollback() {
        List<SeenToken> tokens = read(s -> s.gtid().query("", "XA COMMIT X'67',X'62',1"));
        assertEquals(TokenKind.ROLLBACK, tokens.get(1).kind());
        assertEquals(XID, tokens.get(1).token().xid());
    }

    /** Reads three transactions: the second has a question, the first and the third are normal. */
    private static SeenToken asked(ErrorCode code, UnaryOperator<EventScript> second) {
        try (EventScript script = new EventScript()) {
            plain(script);
            plain(second.apply(script));
            List<SeenToken> tokens = script.tokens();
            assertEquals(List.of(1L, 2L, 3L), gnos(tokens));
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(2).events());
            assertNull(tokens.get(2).token().question());
            assertAsks(code, tokens.get(1));
            return tokens.get(1);
        }
    }

    private static List<Long> gnos(List<SeenToken> tokens) {
        return tokens.stream().map(each -> each.token().gno()).toList();
    }

    private static void assertAsks(ErrorCode code, SeenToken token) {
        Question question = token.token().question();
        assertEquals(code, question.code());
        assertTrue(
                question.message()
                        .matches("shard s1 at binlog\\.000001:\\d+ \\(GTID " + EventScript.SERVER
                                + ":2\\): .*expected .*, found .*"),
                question.message());
        assertFalse(question.message().contains("shard skip"), question.message());
        assertNull(token.token().payload());
        assertEquals(List.of(), token.token().tables());
        assertNull(token.token().ddl());
    }

    private static EventScript statement(EventScript script) {
        return script.query("d", "INSERT INTO t VALUES (1)");
    }

    @Test
    void aTransactionThatCannotBeWrittenIsAQuestionAndReadingContinues() {
        List<UnaryOperator<EventScript>> statements = List.of(
                s -> statement(s.gtid().begin()).xid(),
                s -> statement(s.gtid().begin().tableMap(7, "d", "t").rows(7, true))
                        .query("d", "COMMIT"),
                s -> statement(s.gtid().begin()).query("d", "ROLLBACK"),
                s -> s.gtid().begin().query("d", "ROLLBACK TO s").xid(),
                s -> s.gtid()
                        .begin()
                        .raw(EventType.EXECUTE_LOAD_QUERY_EVENT, 0, 30)
                        .xid(),
                s -> statement(s.gtid().begin().raw(EventType.INTVAR_EVENT, 0, 9))
                        .rows(99, true)
                        .xid());
        statements.forEach(each -> assertEquals(
                TokenKind.LOCAL, asked(ErrorCode.STATEMENT_FORMAT, each).kind()));
        SeenToken unknown = asked(
                ErrorCode.EVENT_UNKNOWN,
                s -> s.gtid()
                        .begin()
                        .raw(120, 0, 8)
                        .tableMap(7, "d", "t")
                        .rows(7, true)
                        .xid());
        assertEquals(TokenKind.LOCAL, unknown.kind());
        SeenToken partial = asked(
                ErrorCode.SHARD_UNFIT,
                s -> s.gtid()
                        .begin()
                        .tableMap(7, "d", "t")
                        .rows(7, false)
                        .partialRows(7)
                        .xid());
        assertEquals(TokenKind.LOCAL, partial.kind());
        assertTrue(partial.token().question().message().contains("d.t"));
    }

    @Test
    void aStatementAloneIsAQuestionOfItsOwn() {
        assertEquals(
                TokenKind.DDL,
                asked(ErrorCode.STATEMENT_FORMAT, s -> statement(s.gtid())).kind());
        assertEquals(
                TokenKind.DDL,
                asked(
                                ErrorCode.DDL_UNSUPPORTED,
                                s -> s.gtid()
                                        .raw(EventType.USER_VAR_EVENT, 0, 20)
                                        .query("d", "CREATE TABLE t (a INT)"))
                        .kind());
        assertEquals(
                TokenKind.LOCAL,
                asked(ErrorCode.EVENT_UNKNOWN, s -> s.gtid().raw(120, 0, 8)).kind());
    }

    @Test
    void aBranchWithAQuestionKeepsItsToken() {
        UnaryOperator<EventScript> branch = s -> statement(s.gtid().query("", "XA START X'67',X'62',1"))
                .query("", "XA END X'67',X'62',1")
                .xaPrepare(XID, false);
        SeenToken prepare = asked(ErrorCode.STATEMENT_FORMAT, branch);
        assertEquals(TokenKind.PREPARE, prepare.kind());
        assertEquals(XID, prepare.token().xid());
        assertEquals(
                EventScript.SERVER + ":1", prepare.token().before().executed().line());
        UnaryOperator<EventScript> onePhase = s -> statement(s.gtid().query("", "XA START X'67',X'62',1"))
                .query("", "XA END X'67',X'62',1")
                .xaPrepare(XID, true);
        assertEquals(
                TokenKind.LOCAL, asked(ErrorCode.STATEMENT_FORMAT, onePhase).kind());
        UnaryOperator<EventScript> rolledBack =
                s -> statement(s.gtid().query("", "XA START X'67',X'62',1")).query("", "XA ROLLBACK X'67',X'62',1");
        assertEquals(
                TokenKind.LOCAL, asked(ErrorCode.STATEMENT_FORMAT, rolledBack).kind());
    }

    /** The rows are in the PREPARE, so the outcome of a branch is certain with any other events in its transaction. */
    @Test
    void theOutcomeOfABranchIsNotAQuestion() {
        try (EventScript script = new EventScript()) {
            List<SeenToken> tokens = script.gtid()
                    .raw(120, 0, 8)
                    .query("", "XA COMMIT X'67',X'62',1")
                    .gtid()
                    .raw(120, 0, 8)
                    .query("", "XA ROLLBACK X'67',X'62',1")
                    .tokens();
            assertEquals(
                    List.of(TokenKind.COMMIT, TokenKind.ROLLBACK),
                    tokens.stream().map(SeenToken::kind).toList());
            assertEquals(XID, tokens.get(0).token().xid());
            assertNull(tokens.get(0).token().question());
        }
    }

    @Test
    void aQuestionInTheMiddleOfACompressedTransactionLeavesTheNextOnesReadable() {
        Consumer<EventScript> good =
                s -> s.begin().tableMap(7, "d", "t").rows(7, true).xid();
        SeenToken asked = asked(
                ErrorCode.STATEMENT_FORMAT,
                s -> s.gtid()
                        .compressed(
                                in -> statement(in.begin().tableMap(7, "d", "t").rows(7, true))
                                        .largeRows(7, 700_000)
                                        .xid()));
        assertEquals(TokenKind.LOCAL, asked.kind());
        try (EventScript script = new EventScript()) {
            List<SeenToken> tokens = script.gtid()
                    .compressed(good)
                    .gtid()
                    .compressed(in -> statement(in.begin()).xid())
                    .gtid()
                    .compressed(good)
                    .tokens();
            assertAsks(ErrorCode.STATEMENT_FORMAT, tokens.get(1));
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(2).events());
        }
    }

    @Test
    void aCompressedTransactionAboveTheLimitIsAQuestionWithAnyContent() {
        int half = EventScript.PAYLOAD_LIMIT / 2;
        UnaryOperator<EventScript> rows = in ->
                in.tableMap(7, "d", "t").largeRows(7, half).largeRows(7, half).rows(7, true);
        SeenToken local = asked(
                ErrorCode.PAYLOAD_TOO_LARGE,
                s -> s.gtid().compressed(in -> rows.apply(in.begin()).xid()));
        assertEquals(TokenKind.LOCAL, local.kind());
        SeenToken branch = asked(
                ErrorCode.PAYLOAD_TOO_LARGE,
                s -> s.gtid()
                        .compressed(in -> rows.apply(in.query("", "XA START X'67',X'62',1"))
                                .query("", "XA END X'67',X'62',1"))
                        .xaPrepare(XID, false));
        assertEquals(TokenKind.PREPARE, branch.kind());
        assertEquals(XID, branch.token().xid());
        assertSkips(s -> s.gtid().compressed(in -> rows.apply(in.begin()).xid()));
    }

    @Test
    void aConnectionLossInTheMiddleRestartsTheTransaction() {
        SeenToken again = asked(
                ErrorCode.STATEMENT_FORMAT,
                s -> statement(statement(s.gtid().begin()).reconnect().gtid().begin())
                        .xid());
        assertEquals(TokenKind.LOCAL, again.kind());
        try (EventScript script = new EventScript()) {
            List<SeenToken> tokens =
                    plain(statement(script.gtid().begin()).reconnect()).tokens();
            assertEquals(List.of(1L), gnos(tokens));
            assertNull(tokens.get(0).token().question());
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
        }
    }
}
