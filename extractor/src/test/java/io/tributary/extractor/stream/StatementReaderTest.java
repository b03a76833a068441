package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Question;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.EventScript;
import io.tributary.extractor.SeenToken;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements as events: one for each part, rows after CREATE TABLE ... SELECT, and statements that are left out. */
class StatementReaderTest {
    private static List<SeenToken> read(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript()) {
            return events.apply(script).tokens();
        }
    }

    private static Question asked(UnaryOperator<EventScript> events) {
        List<SeenToken> tokens = read(events);
        assertEquals(1, tokens.size());
        return tokens.get(0).token().question();
    }

    @Test
    void writesOneEventForEachPart() {
        SeenToken token = read(s -> s.gtid().query("d", "ALTER TABLE t ADD c INT, ADD UNIQUE (c)"))
                .get(0);
        assertEquals(
                List.of("QUERY d: ALTER TABLE t ADD c INT", "QUERY d: ALTER TABLE `t` ADD UNIQUE (c)"), token.events());
        assertEquals(
                List.of(DdlKind.FORWARD, DdlKind.LATE),
                token.token().ddl().parts().stream().map(Ddl.Part::kind).toList());
        assertEquals("ALTER TABLE", token.token().ddl().verb());
    }

    @Test
    void dropsSeveralTablesEachWithoutForeignKeyChecks() {
        SeenToken token =
                read(s -> s.gtid().query("d", "DROP TABLE t, hidden.h, u")).get(0);
        assertEquals(List.of("QUERY d: DROP TABLE `t`", "QUERY d: DROP TABLE `u`"), token.events());
        for (int at : token.offsets()) {
            int flags = QueryEvent.variable(token.bytes(), at, StatusVariables.Q_FLAGS2_CODE);
            assertEquals(1 << 26, LittleEndian.getInt(token.bytes(), flags));
        }
    }

    @Test
    void aStatementHasTheVersionOfTheServerThatWroteItsFile() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("d", "ALTER TABLE t ADD a INT")
                .rotate("binlog.000002")
                .formatDescription("9.7.4-log") // upgraded
                .gtid()
                .query("d", "ALTER TABLE t ADD b INT"));
        assertEquals(
                List.of(new ServerVersion(false, 80031), new ServerVersion(false, 90704)),
                tokens.stream().map(each -> each.token().ddl().server()).toList());
    }

    @Test
    void keepsOtherFlagsOfTheSession() {
        byte[] variables = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0};
        byte[] changed = MysqlVariables.withoutForeignKeyChecks(variables);
        assertEquals(variables.length, changed.length);
        assertEquals(1 << 26 | 1 << 14, LittleEndian.getInt(java.nio.ByteBuffer.wrap(changed), 10));
        assertEquals(0, variables[13]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE `u` (a INT) START TRANSACTION",
                "CREATE TABLE `u` (a INT) START TRANSACTION /* x */",
                "CREATE TABLE `u` (a INT) /* y */ START /* x */ TRANSACTION"
            })
    void createTableSelectIsOneTokenWithItsRows(String text) {
        SeenToken token = read(s -> s.gtid()
                        .query("d", text)
                        .tableMap(1, "d", "u")
                        .rows(1, true)
                        .xid())
                .get(0);
        assertEquals(TokenKind.DDL, token.kind());
        assertEquals(3, token.events().size());
        assertTrue(
                token.events().get(0).startsWith("QUERY d: CREATE TABLE `u` (a INT)"),
                token.events().get(0));
        assertTrue(
                !token.events().get(0).contains("TRANSACTION"), token.events().get(0));
        assertEquals(List.of("MAP d.u", "WRITE d.u."), token.events().subList(1, 3));
        assertEquals(
                List.of("d.u#1"),
                token.token().tables().stream().map(Object::toString).toList());
        assertEquals(DdlKind.NEW, token.token().ddl().parts().get(0).kind());
    }

    @Test
    void createTableSelectWithoutRowsIsCreateTable() {
        SeenToken token = read(s -> s.gtid()
                        .query("d", "CREATE TABLE u (a INT) START TRANSACTION")
                        .xid())
                .get(0);
        assertEquals(TokenKind.DDL, token.kind());
        assertEquals(List.of("QUERY d: CREATE TABLE u (a INT)"), token.events());
        assertEquals(List.of(), token.token().tables());
    }

    @Test
    void createTableSelectIsDiscardedWithItsTransaction() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("d", "CREATE TABLE u (a INT) START TRANSACTION")
                .query("d", "ROLLBACK")
                .gtid()
                .begin()
                .tableMap(1, "d", "t")
                .rows(1, true)
                .xid());
        assertEquals(
                List.of(TokenKind.SKIPPED, TokenKind.LOCAL),
                tokens.stream().map(SeenToken::kind).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hidden.u", "d._u_new"})
    void leavesOutCreateTableSelectOfATableThatIsLeftOut(String table) {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("d", "CREATE TABLE " + table + " (a INT) START TRANSACTION")
                .tableMap(1, "hidden", "u")
                .rows(1, true)
                .xid());
        assertEquals(
                List.of(TokenKind.SKIPPED), tokens.stream().map(SeenToken::kind).toList());
    }

    @Test
    void writesASwapAsTheAlterOfItsCopy() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("d", "CREATE TABLE _t_gho LIKE t")
                .gtid()
                .query("d", "ALTER TABLE _t_gho ADD c INT")
                .gtid()
                .query("d", "RENAME TABLE t TO _t_del, _t_gho TO t")
                .gtid()
                .query("d", "DROP TABLE _t_del")
                .gtid()
                .query("d", "ALTER TABLE t ADD COLUMN c INT"));
        assertEquals(
                List.of(TokenKind.SKIPPED, TokenKind.SKIPPED, TokenKind.DDL, TokenKind.SKIPPED, TokenKind.DDL),
                tokens.stream().map(SeenToken::kind).toList());
        assertEquals(
                List.of("QUERY d: ALTER TABLE `d`.`t` ADD c INT"), tokens.get(2).events());
        assertEquals(
                tokens.get(4).token().ddl().parts().get(0).id(),
                tokens.get(2).token().ddl().parts().get(0).id());
    }

    /** The definitions of both tables show the change. */
    @Test
    void aSwapWithAnUnknownCopyIsMarked() {
        List<SeenToken> tokens = read(s -> s.gtid().query("d", "RENAME TABLE t TO _t_del, _t_gho TO t"));
        assertEquals(
                List.of(TokenKind.DDL), tokens.stream().map(SeenToken::kind).toList());
        assertTrue(tokens.get(0).token().hidden().renames().stream()
                .anyMatch(rename -> rename.kind() == HiddenChange.Kind.TAKES_PLACE_UNKNOWN
                        && rename.from().equals(new TableName("d", "_t_gho"))));
    }

    @Test
    void leavesOutTablesThatAServerEmptiedAfterItsRestart() {
        int suppress = EventFlags.LOG_EVENT_SUPPRESS_USE_F;
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("", "TRUNCATE TABLE `d`.`m` /* generated by server, implicitly emptying in-memory table */")
                .gtid()
                .query("", "DELETE FROM `d`.`m`", suppress)
                .gtid()
                .query("", "TRUNCATE TABLE `d`.`m`", suppress)
                .gtid()
                .query("d", "TRUNCATE TABLE `d`.`m`"));
        assertEquals(
                List.of(TokenKind.SKIPPED, TokenKind.SKIPPED, TokenKind.SKIPPED, TokenKind.DDL),
                tokens.stream().map(SeenToken::kind).toList());
        assertEquals(
                ErrorCode.STATEMENT_FORMAT,
                asked(s -> s.gtid().query("d", "DELETE FROM `d`.`m`")).code());
    }

    @Test
    void namesTheRemedyForStatementsWithoutRows() {
        Question undone =
                asked(s -> s.gtid().begin().query("d", "ROLLBACK TO `s`").xid());
        assertEquals(ErrorCode.STATEMENT_FORMAT, undone.code());
        assertTrue(undone.message().contains("savepoint"), undone.message());
        Question variable =
                asked(s -> s.gtid().raw(EventType.USER_VAR_EVENT, 0, 20).query("d", "CREATE TABLE t (a INT)"));
        assertEquals(ErrorCode.DDL_UNSUPPORTED, variable.code());
        assertTrue(variable.message().contains("values in its text"), variable.message());
        Question update =
                asked(s -> s.gtid().begin().query("d", "UPDATE t SET a = 1").xid());
        assertTrue(update.message().contains("binlog_format"), update.message());
        Question renamed = asked(s -> s.gtid().query("d", "RENAME TABLE hidden.t TO t"));
        assertEquals(ErrorCode.DDL_UNSUPPORTED, renamed.code());
    }

    @Test
    void foldsNamesIfTheShardDoes() {
        for (String value : List.of("0", "1", "2")) {
            ShardFacts facts = new ShardFacts(Map.of("lower_case_table_names", value), GtidSet.EMPTY, GtidSet.EMPTY);
            assertEquals(!value.equals("0"), facts.foldsNames());
        }
        List<SeenToken> tokens =
                read(s -> s.gtid().query("D", "TRUNCATE T").foldsNames().gtid().query("D", "TRUNCATE T"));
        assertEquals(List.of("QUERY D: TRUNCATE T"), tokens.get(0).events());
        assertEquals(List.of("QUERY d: TRUNCATE `t`"), tokens.get(1).events());
    }
}
