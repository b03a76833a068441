package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tributary.testkit.server.Myloader;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dump tools read the logical schema to the end; a server that loads the dump has the same definitions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class SchemaDumpsTest {
    private static final List<String> NO_DATA = List.of("--no-data", "--databases", "shop");
    private static final List<String> PROGRAMS =
            List.of("--no-data", "--routines", "--events", "--triggers", "--databases", "shop");

    @TempDir
    private static Path folder;

    private MysqlServer shard;
    private MysqlServer target;
    private ServedSchema served;

    @BeforeAll
    void start() throws Exception {
        shard = MysqlServer.start("shard");
        target = MysqlServer.start("target");
        DumpShop.create(shard);
        served = new ServedSchema(folder, shard);
    }

    @AfterEach
    void empty() throws SQLException {
        target.execute("DROP DATABASE IF EXISTS shop");
    }

    @AfterAll
    void end() {
        served.close();
        target.close();
        shard.close();
    }

    private List<String> connected(List<String> program, String... more) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + served.port(),
                "--user=" + ServedSchema.READER.name(),
                "--password=" + ServedSchema.READER.password()));
        command.addAll(List.of(more));
        return command;
    }

    /** Dumps to a file, loads it and compares. */
    private void copiesTheSchema(List<String> program, List<String> options) throws Exception {
        Path dump = Files.createTempFile(folder, "dump", ".sql");
        List<String> command = new ArrayList<>(program);
        command.add("--result-file=" + dump);
        command.addAll(options);
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertEquals(0, outcome.status(), outcome.output());
        assertFalse(outcome.output().contains("rror"), outcome.output());
        Files.writeString(
                dump,
                "SET sql_log_bin = 0;\n" + Files.readString(dump).replaceAll("(?m)^SET @@GLOBAL.GTID_PURGED.*$", ""));
        MysqlTools.Outcome loaded = MysqlTools.cached().load(target, dump);
        assertEquals(0, loaded.status(), loaded.output());
        isEqual();
    }

    private void isEqual() throws SQLException {
        try (Sql of = Sql.open(served.port(), ServedSchema.READER.name(), ServedSchema.READER.password());
                Sql copy = target.sql()) {
            Map<String, String> expected = definitions(of);
            assertEquals(List.of("cheap", "items", "orders", "plain"), List.copyOf(expected.keySet()));
            assertEquals(expected, definitions(copy));
            assertEquals(List.of(), copy.rows("SHOW TRIGGERS FROM shop"));
        }
    }

    /** Definitions by names; the definer of a view is the user who loads it. */
    private static Map<String, String> definitions(Sql sql) throws SQLException {
        Map<String, String> definitions = new TreeMap<>();
        for (Map<String, String> row : sql.rows("SHOW FULL TABLES FROM shop")) {
            String name = row.get("Tables_in_shop");
            List<String> values = List.copyOf(
                    sql.rows("SHOW CREATE TABLE shop.`" + name + "`").get(0).values());
            definitions.put(name, values.get(1).replaceAll(" DEFINER=\\S+", ""));
        }
        return definitions;
    }

    @Test
    void mysqldump80CopiesTheSchema() throws Exception {
        List<String> program = connected(
                List.of(MysqlTools.cached().mysqldump().toString()),
                "--get-server-public-key",
                "--set-gtid-purged=OFF");
        copiesTheSchema(program, NO_DATA);
        empty();
        copiesTheSchema(program, PROGRAMS);
    }

    @Test
    void mysqldump9CopiesTheSchemaAndSaysThatNothingIsMissing() throws Exception {
        List<String> program = connected(
                MysqlRelease.MYSQL_9.distribution().program("mysqldump"),
                "--get-server-public-key",
                "--set-gtid-purged=OFF",
                "--skip-masking-policies");
        copiesTheSchema(program, NO_DATA);
        empty();
        copiesTheSchema(program, PROGRAMS);
    }

    @Test
    void mariadbDumpCopiesTheSchema() throws Exception {
        var mariadb = MysqlRelease.MARIADB_10_11.distribution();
        List<String> program = connected(
                mariadb.program("mariadb-dump"),
                "--plugin-dir=" + mariadb.clientPlugins().orElseThrow());
        copiesTheSchema(program, NO_DATA);
        empty();
        copiesTheSchema(program, List.of("--no-data", "--routines", "--events", "--triggers", "--all-databases"));
    }

    @Test
    void mydumperCopiesTheSchema() throws Exception {
        Path dump = folder.resolve("mydumper");
        MysqlTools.Outcome outcome = Myloader.cached()
                .dumpSchema(served.port(), ServedSchema.READER, dump, "--triggers", "--events", "--routines");
        assertEquals(0, outcome.status(), outcome.output());
        MysqlTools.Outcome loaded = Myloader.cached().load(target, dump);
        assertEquals(0, loaded.status(), loaded.output());
        isEqual();
    }
}
