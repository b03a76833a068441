package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A transaction that an operator ordered to leave out goes by without rows, and exactly that one. */
class LeftOutReaderTest {
    private static final Xid XID = new Xid(new byte[] {'g'}, new byte[] {'b'}, 1);

    /** The second transaction of what is read is left out. */
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
    void aRefusalNamesTheCommandAndWithTheOrderItPasses() {
        UnaryOperator<EventScript> statement =
                s -> s.gtid().begin().query("d", "INSERT INTO t VALUES (1)").xid();
        try (EventScript script = new EventScript()) {
            TributaryException e = assertThrows(TributaryException.class, () -> statement.apply(plain(script)));
            assertTrue(
                    e.getMessage().endsWith("tributary shard skip s1 --gtid " + EventScript.SERVER + ":2 -c FILE"),
                    e.getMessage());
        }
        assertSkips(statement);
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
    void aBranchKeepsItsPlaceWithoutRows() {
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
}
