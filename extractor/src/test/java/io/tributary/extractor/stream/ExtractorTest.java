package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.ExtractorRig;
import io.tributary.extractor.SeenToken;
import io.tributary.extractor.TableMapRule;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tokens of the log of a real server. */
class ExtractorTest {
    private static MysqlServer server;

    @BeforeAll
    static void startServer() throws SQLException {
        server = MysqlServer.start(MysqlOptions.named("extract"));
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE d", "CREATE DATABASE hidden", "CREATE DATABASE shop_1");
        server.execute(
                "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(20))", "CREATE TABLE hidden.h (id INT PRIMARY KEY)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static List<TokenKind> kinds(List<SeenToken> tokens) {
        return tokens.stream().map(SeenToken::kind).toList();
    }

    @Test
    void readsLocalTransactions() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            server.execute("INSERT INTO d.t VALUES (1, 'a'), (2, 'b')");
            try (Sql sql = server.sql()) {
                sql.execute(
                        "BEGIN",
                        "UPDATE d.t SET v = 'c' WHERE id = 1",
                        "SAVEPOINT s",
                        "DELETE FROM d.t WHERE id = 1",
                        "ROLLBACK TO s",
                        "DELETE FROM d.t",
                        "COMMIT");
            }
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(List.of(TokenKind.LOCAL, TokenKind.LOCAL), kinds(tokens));
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
            assertEquals(
                    List.of("MAP d.t", "UPDATE d.t.", "MAP d.t", "DELETE d.t."),
                    tokens.get(1).events());
            SeenToken first = tokens.get(0);
            assertEquals(Set.of(ExtractorRig.SERVER_ID), first.serverIds());
            assertEquals(Set.of(0L), first.logPositions());
            assertEquals(Set.of(first.token().tables().get(0).id()), first.mappedIds());
            assertEquals(first.token().tables(), tokens.get(1).token().tables());
            assertEquals(server.uuid(), first.token().sid().toString());
            assertTrue(first.token().commitMicros() > 1_600_000_000_000_000L);
            assertTrue(first.token().commitMicros() < tokens.get(1).token().commitMicros());
            assertTrue(first.token().key() <= tokens.get(1).token().key());
            assertEquals(
                    first.token().sequenceNumber() + 1, tokens.get(1).token().sequenceNumber());
            assertTrue(first.token().end() < tokens.get(1).token().end());
            assertTrue(rig.scrape().contains("tributary_extract_transactions_total{shard=\"s1\"} 2.0"));
        }
    }

    @Test
    void readsBranchesOfDistributedTransactions() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "XA START 'g1', 'b1', 7",
                        "INSERT INTO d.t VALUES (10, 'x')",
                        "XA END 'g1', 'b1', 7",
                        "XA PREPARE 'g1', 'b1', 7");
                sql.execute("XA COMMIT 'g1', 'b1', 7");
                sql.execute(
                        "XA START X'00ff'", "INSERT INTO d.t VALUES (11, 'x')", "XA END X'00ff'", "XA PREPARE X'00ff'");
                sql.execute("XA ROLLBACK X'00ff'");
                sql.execute(
                        "XA START 'one'",
                        "INSERT INTO d.t VALUES (12, 'x')",
                        "XA END 'one'",
                        "XA COMMIT 'one' ONE PHASE");
                sql.execute("XA START 'empty'", "XA END 'empty'", "XA PREPARE 'empty'", "XA COMMIT 'empty'");
                sql.execute(
                        "XA START 'back'", "INSERT INTO d.t VALUES (13, 'x')", "XA END 'back'", "XA ROLLBACK 'back'");
                sql.execute(
                        "XA START 'h'",
                        "INSERT INTO hidden.h VALUES (1)",
                        "XA END 'h'",
                        "XA PREPARE 'h'",
                        "XA COMMIT 'h'");
            }
            List<SeenToken> tokens = rig.readAll(server);
            tokens.removeIf(token -> token.kind() == TokenKind.SKIPPED);
            assertEquals(
                    List.of(
                            TokenKind.PREPARE,
                            TokenKind.COMMIT,
                            TokenKind.PREPARE,
                            TokenKind.ROLLBACK,
                            TokenKind.LOCAL,
                            TokenKind.PREPARE,
                            TokenKind.COMMIT),
                    kinds(tokens).subList(0, 7));
            Xid xid = new Xid("g1".getBytes(StandardCharsets.US_ASCII), "b1".getBytes(StandardCharsets.US_ASCII), 7);
            assertEquals(xid, tokens.get(0).token().xid());
            assertEquals(xid, tokens.get(1).token().xid());
            assertNull(tokens.get(1).token().payload());
            assertEquals("X'00ff','',1", tokens.get(3).token().xid().toString());
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
            assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(4).events());
            assertEquals(List.of(), tokens.get(5).events());
            assertNotNull(tokens.get(5).token().payload());
            assertBeforeLeadsBackTo(tokens.get(2));
        }
    }

    private static void assertBeforeLeadsBackTo(SeenToken prepare) throws SQLException {
        try (ExtractorRig again = ExtractorRig.after(prepare.token().before().executed(), server.port())) {
            SeenToken same = again.readAll(server).get(0);
            assertEquals(prepare.token().gno(), same.token().gno());
            assertEquals(prepare.token().before(), same.token().before());
            assertEquals(prepare.token().file(), prepare.token().before().file());
            assertTrue(prepare.token().before().offset() < prepare.token().end());
        }
    }

    @Test
    void unpacksCompressedTransactions() throws Exception {
        server.execute("CREATE TABLE d.big (id INT PRIMARY KEY, v TEXT)");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "SET binlog_transaction_compression = ON",
                        "BEGIN",
                        "INSERT INTO d.big VALUES (1, REPEAT('a', 60000))",
                        "INSERT INTO d.big VALUES (2, REPEAT('b', 60000))",
                        "COMMIT");
            }
            SeenToken token = rig.readAll(server).get(0);
            assertEquals(TokenKind.LOCAL, token.kind());
            assertEquals(List.of("MAP d.big", "WRITE d.big.", "MAP d.big", "WRITE d.big."), token.events());
            assertTrue(token.bytes().limit() > 120_000);
            assertEquals(Set.of(ExtractorRig.SERVER_ID), token.serverIds());
        }
    }

    @Test
    void readsNonTransactionalTablesAndPartialJson() throws Exception {
        server.execute(
                "CREATE TABLE d.plain (id INT PRIMARY KEY) ENGINE=MyISAM",
                "CREATE TABLE d.doc (id INT PRIMARY KEY, j JSON)",
                "INSERT INTO d.doc VALUES (1, JSON_OBJECT('a', 1, 'b', REPEAT('x', 1000)))");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "INSERT INTO d.plain VALUES (1)",
                        "SET binlog_row_value_options = PARTIAL_JSON",
                        "UPDATE d.doc SET j = JSON_SET(j, '$.a', 2)");
            }
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(List.of(TokenKind.LOCAL, TokenKind.LOCAL), kinds(tokens));
            assertEquals(List.of("MAP d.plain", "WRITE d.plain."), tokens.get(0).events());
            assertEquals(List.of("MAP d.doc", "UPDATE d.doc."), tokens.get(1).events());
        }
    }

    @Test
    void distinguishesDdlFromStatementsThatAreLeftOut() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "USE d",
                        "CREATE TABLE x (a INT PRIMARY KEY)",
                        "ALTER TABLE x ADD b INT",
                        "CREATE INDEX i ON x (b)",
                        "TRUNCATE x",
                        "CREATE USER someone IDENTIFIED BY 'secret'",
                        "GRANT SELECT ON d.* TO someone",
                        "DROP USER someone",
                        "ANALYZE TABLE x",
                        "FLUSH TABLES",
                        "CREATE TEMPORARY TABLE tmp (a INT)",
                        "DROP TEMPORARY TABLE tmp",
                        "CREATE TABLE hidden.y (a INT)",
                        "DROP TABLE hidden.y",
                        "DROP TABLE x");
            }
            List<SeenToken> tokens = rig.readAll(server);
            List<SeenToken> ddls = tokens.stream()
                    .filter(token -> token.kind() == TokenKind.DDL)
                    .toList();
            assertEquals(
                    List.of(
                            "QUERY d: CREATE TABLE x (a INT PRIMARY KEY)",
                            "QUERY d: ALTER TABLE x ADD b INT",
                            "QUERY d: CREATE INDEX i ON x (b)",
                            "QUERY d: TRUNCATE x",
                            "QUERY d: DROP TABLE `x` /* generated by server */"),
                    ddls.stream().flatMap(token -> token.events().stream()).toList());
            Ddl.Part added = ddls.get(1).token().ddl().parts().get(0);
            assertEquals(DdlKind.FORWARD, added.kind());
            assertEquals("d.x", added.targets().get(0).logical().toString());
            assertTrue(added.reshapes());
            assertTrue(ddls.get(3).token().ddl().parts().get(0).removesRows());
            assertTrue(tokens.stream()
                    .allMatch(token -> token.kind() == TokenKind.DDL || token.kind() == TokenKind.SKIPPED));
        }
    }

    @Test
    void mapsPhysicalTablesToLogicalOnes() throws Exception {
        Map<String, TableMapRule> rules = Map.of(
                "orders", new TableMapRule(Pattern.compile("shop_\\d+\\.orders_\\d+"), "shop.orders"),
                "schema", new TableMapRule(Pattern.compile("shop_\\d+"), "shop"));
        try (ExtractorRig rig = ExtractorRig.after(
                ExtractorRig.executed(server), server.port(), config -> config.withTableMap(rules))) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "USE shop_1",
                        "CREATE TABLE orders_1 (id INT PRIMARY KEY)",
                        "CREATE TABLE orders_2 (id INT PRIMARY KEY)",
                        "BEGIN",
                        "INSERT INTO orders_1 VALUES (1)",
                        "INSERT INTO orders_2 VALUES (2)",
                        "COMMIT",
                        "ALTER TABLE orders_1 ADD c INT",
                        "INSERT INTO orders_1 VALUES (3, 3)");
            }
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(
                    List.of("QUERY shop: CREATE TABLE `orders` (id INT PRIMARY KEY)"),
                    tokens.get(0).events());
            assertEquals(part(tokens.get(0)).id(), part(tokens.get(1)).id());
            assertEquals(
                    "shop_1.orders_2",
                    part(tokens.get(1)).targets().get(0).physical().toString());
            assertEquals(
                    List.of("MAP shop.orders", "WRITE shop.orders.", "MAP shop.orders", "WRITE shop.orders."),
                    tokens.get(2).events());
            List<TableRef> members = tokens.get(2).token().tables();
            assertEquals(
                    List.of("shop_1.orders_1", "shop_1.orders_2"),
                    members.stream().map(ref -> ref.physical().toString()).toList());
            assertEquals(members.get(0).shape(), members.get(1).shape());
            assertEquals(2, tokens.get(2).mappedIds().size());
            assertEquals(
                    "shop.orders",
                    part(tokens.get(3)).targets().get(0).logical().toString());
            assertTrue(tokens.get(4).token().tables().get(0).id()
                    > tokens.get(2).token().tables().get(0).id());
        }
    }

    private static Ddl.Part part(SeenToken token) {
        return token.token().ddl().parts().get(0);
    }

    @Test
    void keepsOnlyWhatIsNotLeftOut() throws Exception {
        server.execute(
                "CREATE TABLE d.watched (id INT PRIMARY KEY)",
                "CREATE TABLE hidden.log (id INT PRIMARY KEY)",
                "CREATE TRIGGER d.w AFTER INSERT ON d.watched FOR EACH ROW INSERT INTO hidden.log VALUES (NEW.id)");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute("INSERT INTO hidden.h VALUES (100)");
                sql.execute("INSERT INTO d.watched VALUES (1), (2)");
                sql.execute(
                        "SET binlog_rows_query_log_events = ON",
                        "BEGIN",
                        "INSERT INTO hidden.h VALUES (101)",
                        "INSERT INTO d.t VALUES (101, 'a')",
                        "INSERT INTO hidden.h VALUES (102)",
                        "COMMIT");
            }
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(List.of(TokenKind.SKIPPED, TokenKind.LOCAL, TokenKind.LOCAL), kinds(tokens));
            List<String> mixed = tokens.get(1).events();
            assertEquals("MAP d.watched", mixed.get(0));
            assertEquals("WRITE d.watched.", mixed.get(mixed.size() - 1));
            assertEquals(1, mixed.stream().filter(word -> word.endsWith(".")).count());
            assertTrue(mixed.stream().noneMatch(word -> word.contains("hidden")), mixed.toString());
            assertEquals(
                    List.of("ROWS_QUERY_LOG_EVENT", "MAP d.t", "WRITE d.t."),
                    tokens.get(2).events());
        }
    }
}
