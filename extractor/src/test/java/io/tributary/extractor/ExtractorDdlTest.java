package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TokenKind;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** DDL statements as real servers log them, and whether a real server accepts the statements that are written for them. */
class ExtractorDdlTest {
    private static MysqlServers servers;
    private static MysqlServer server;
    private static MysqlServer replica;

    @BeforeAll
    static void startServers() throws Exception {
        servers = MysqlServers.start(List.of(MysqlOptions.named("ddl"), MysqlOptions.named("ddlreplica")));
        server = servers.get(0);
        replica = servers.get(1);
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE d", "CREATE DATABASE hidden");
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    /** Runs every QUERY event of the tokens on the replica. */
    private static void replay(List<SeenToken> tokens) throws Exception {
        try (Sql sql = replica.sql()) {
            for (SeenToken token : tokens) {
                for (int at : token.offsets()) {
                    if (EventHeader.type(token.bytes(), at) == EventType.QUERY_EVENT) {
                        int end = EventHeader.end(token.bytes(), at);
                        String schema = QueryEvent.schema(token.bytes(), at);
                        if (!schema.isEmpty()) {
                            sql.execute("USE `" + schema + "`");
                        }
                        sql.execute(QueryEvent.text(token.bytes(), at, end));
                    }
                }
            }
        }
    }

    private static String shown(MysqlServer of, String table) throws Exception {
        try (Sql sql = of.sql()) {
            return sql.text("SELECT GROUP_CONCAT(COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE ORDER BY ORDINAL_POSITION) FROM"
                            + " information_schema.COLUMNS WHERE CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) = '" + table
                            + "'")
                    + sql.text("SELECT GROUP_CONCAT(INDEX_NAME, NON_UNIQUE, COLUMN_NAME ORDER BY 1) FROM"
                            + " information_schema.STATISTICS WHERE CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) = '" + table
                            + "'")
                    + sql.text(
                            "SELECT GROUP_CONCAT(CONSTRAINT_NAME ORDER BY 1) FROM information_schema.TABLE_CONSTRAINTS WHERE"
                                    + " CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) = '" + table + "'");
        }
    }

    @Test
    void writtenStatementsHaveTheSameEffect() throws Exception {
        replica.execute("CREATE DATABASE shop", "CREATE DATABASE IF NOT EXISTS d");
        Map<String, TableMapRule> rules = Map.of("o", new TableMapRule(Pattern.compile("d\\.(o|p)_1"), "shop.$1"));
        try (ExtractorRig rig = ExtractorRig.after(
                ExtractorRig.executed(server), server.port(), config -> config.withTableMap(rules))) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "USE d",
                        "CREATE TABLE p_1 (id INT PRIMARY KEY)",
                        "CREATE TABLE o_1 (id INT NOT NULL AUTO_INCREMENT, a INT, b INT, PRIMARY KEY (id), KEY k (a),"
                                + " FOREIGN KEY (a) REFERENCES p_1 (id), CHECK (b > 1)) /*!50100 TABLESPACE"
                                + " `innodb_file_per_table` */ ENGINE=InnoDB COMMENT='x'",
                        "ALTER TABLE o_1 ADD c INT, /* why */ ADD UNIQUE u (c), ADD INDEX (b), ALGORITHM=COPY",
                        "ALTER TABLE o_1 DROP PRIMARY KEY, ADD PRIMARY KEY (id, b)",
                        "ALTER TABLE d.o_1 ADD UNIQUE (b), RENAME COLUMN c TO e, ADD CONSTRAINT CHECK (e > 0), COMMENT 'y, z'",
                        "ALTER TABLE o_1 DROP FOREIGN KEY o_1_ibfk_1, DROP CHECK o_1_chk_1",
                        "CREATE UNIQUE INDEX w ON o_1 (a, b) ALGORITHM=INPLACE",
                        "DROP INDEX u ON o_1",
                        "ALTER TABLE o_1 MODIFY e BIGINT /*!80000 , ADD f INT FIRST */, ADD KEY (f), TABLESPACE"
                                + " innodb_file_per_table, ADD UNIQUE (f)",
                        "ALTER TABLE o_1 ALTER a SET DEFAULT 7, RENAME KEY w TO v, ALTER INDEX k INVISIBLE",
                        "ALTER TABLE o_1 FORCE, ORDER BY a, b",
                        "CREATE TABLE q (id INT, b INT)",
                        "ALTER TABLE q ENGINE=InnoDB, ADD UNIQUE (b), ADD c INT PARTITION BY HASH(b) PARTITIONS 2",
                        "ALTER TABLE q ALGORITHM=INPLACE, ADD PARTITION PARTITIONS 2",
                        "ALTER TABLE q REMOVE PARTITIONING",
                        "ALTER TABLE q ADD UNIQUE (id), RENAME TO d.r",
                        "RENAME TABLE r TO q");
            }
            replay(rig.readAll(server));
        }
        assertEquals(shown(server, "d.o_1").replace("o_1", "o"), shown(replica, "shop.o"));
        assertEquals(shown(server, "d.q"), shown(replica, "d.q"));
    }

    @Test
    void createTableSelectIsOneTokenWithItsRows() throws Exception {
        server.execute("CREATE TABLE d.source (id INT PRIMARY KEY)", "INSERT INTO d.source VALUES (1), (2)");
        replica.execute("CREATE DATABASE IF NOT EXISTS d");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "USE d",
                        "CREATE TABLE hidden.copy AS SELECT * FROM source",
                        "CREATE TABLE copy ENGINE=InnoDB COMMENT 'x' AS SELECT * FROM source",
                        "CREATE TABLE nothing SELECT * FROM source WHERE id > 100",
                        "CREATE TABLE parts (id INT PRIMARY KEY) PARTITION BY HASH(id) PARTITIONS 2 SELECT * FROM source",
                        "INSERT INTO copy VALUES (3)");
            }
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(
                    List.of(TokenKind.SKIPPED, TokenKind.DDL, TokenKind.DDL, TokenKind.DDL, TokenKind.LOCAL),
                    tokens.stream().map(SeenToken::kind).toList());
            assertEquals(
                    List.of("MAP d.copy", "WRITE d.copy."),
                    tokens.get(1).events().subList(1, 3));
            assertTrue(
                    tokens.stream()
                            .flatMap(token -> token.events().stream())
                            .noneMatch(event -> event.contains("START")),
                    tokens.get(1).events().toString());
            assertEquals(
                    "d.parts", tokens.get(3).token().tables().get(0).physical().toString());
            replay(tokens);
        }
        assertEquals(shown(server, "d.copy"), shown(replica, "d.copy"));
        assertEquals(shown(server, "d.parts"), shown(replica, "d.parts"));
    }

    @Test
    void leavesOutTheStatementThatEmptiesAMemoryTable() throws Exception {
        server.execute("CREATE TABLE d.m (id INT) ENGINE=MEMORY", "INSERT INTO d.m VALUES (1)");
        GtidSet before = ExtractorRig.executed(server);
        server.restart();
        server.execute("INSERT INTO d.m VALUES (2)", "TRUNCATE TABLE `d`.`m`");
        try (ExtractorRig rig = ExtractorRig.after(before, server.port())) {
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(
                    List.of(TokenKind.SKIPPED, TokenKind.LOCAL, TokenKind.DDL),
                    tokens.stream().map(SeenToken::kind).toList());
        }
    }

    @Test
    void writesTheSwapOfAnOnlineToolAsItsAlter() throws Exception {
        server.execute("CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(10))");
        replica.execute("CREATE DATABASE IF NOT EXISTS d", "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(10))");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            server.execute(
                    "CREATE /* gh-ost */ TABLE `d`.`_t_gho` LIKE `d`.`t`",
                    "ALTER /* gh-ost */ TABLE `d`.`_t_gho` MODIFY v VARCHAR(300), ADD UNIQUE KEY (v)",
                    "RENAME /* gh-ost */ TABLE `d`.`t` TO `d`.`_t_del`, `d`.`_t_gho` TO `d`.`t`",
                    "DROP /* gh-ost */ TABLE IF EXISTS `d`.`_t_del`");
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(
                    List.of(TokenKind.SKIPPED, TokenKind.SKIPPED, TokenKind.DDL, TokenKind.SKIPPED),
                    tokens.stream().map(SeenToken::kind).toList());
            replay(tokens);
        }
        assertEquals(shown(server, "d.t"), shown(replica, "d.t"));
    }
}
