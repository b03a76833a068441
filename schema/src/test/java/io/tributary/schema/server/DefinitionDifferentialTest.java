package io.tributary.schema.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Key;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Random statements on a real server: after each one that it accepts, the definition that was read from the statements is the one that
 * the server has, the table map that is rendered of it has the server's bytes, and the text that is written of it makes the same table.
 * Long runs: {@code -Dschema.statements=10000 -Dschema.seed=S}; on another MySQL {@code -Dschema.release=MYSQL_9}, which apt fetches.
 */
class DefinitionDifferentialTest {
    private static final int STATEMENTS = Integer.getInteger("schema.statements", 500);
    private static final long SEED = Long.getLong("schema.seed", 20261123);
    private static final MysqlRelease RELEASE =
            MysqlRelease.valueOf(System.getProperty("schema.release", MysqlRelease.MYSQL_8_0_31.name()));
    private static final int VERSION = RELEASE == MysqlRelease.MYSQL_9 ? 90000 : 80031;
    private static final int TABLES = 6;
    private static final int TABLE_MAP = 19;
    private static final Map<String, String> SCHEMAS = Map.of(
            "d_latin1",
            "latin1_swedish_ci",
            "d_utf8",
            "utf8mb3_general_ci",
            "d_new",
            "utf8mb4_0900_ai_ci",
            "d_bin",
            "binary");
    private static final Map<String, Long> MODES = Map.of(
            "REAL_AS_FLOAT", 1L,
            "PIPES_AS_CONCAT", 2L,
            "ANSI_QUOTES", 4L,
            "NO_BACKSLASH_ESCAPES", 0x10_0000L,
            "STRICT_TRANS_TABLES", 0x20_0000L);
    private static final long NO_MODE = 0;

    private final Random random = new Random(SEED);
    private final StatementGrammar grammar = new StatementGrammar(random);
    private final Map<TableName, TableDefinition> tables = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private BinlogFile binlog;
    private ReadSession session;
    private Metadata.Kind metadata = Metadata.Kind.FULL;
    private int accepted;
    private int refused;
    private int unread;
    private int maps;
    private int copies;
    private int made;

    @Test
    void aDefinitionReadFromStatementsIsWhatARealServerHas() throws SQLException, IOException {
        try (MysqlServer server =
                        MysqlServer.start(MysqlOptions.named("definitions").of(RELEASE));
                Sql sql = server.sql();
                Sql plain = server.sql();
                BinlogFile file = BinlogFile.open(
                        server.binlogFiles().get(server.binlogFiles().size() - 1))) {
            binlog = file;
            for (Map.Entry<String, String> schema : SCHEMAS.entrySet()) {
                String charset = schema.getValue().split("_", 2)[0];
                plain.execute(
                        "CREATE DATABASE " + schema.getKey() + " CHARACTER SET " + charset + " COLLATE "
                                + schema.getValue(),
                        "CREATE TABLE " + schema.getKey() + ".p (id INT PRIMARY KEY)");
            }
            plain.execute("CREATE DATABASE copies", "CREATE TABLE copies.p (id INT PRIMARY KEY)");
            while (accepted < STATEMENTS && failures.size() < 8) {
                step(sql, plain);
            }
        }
        String figures = "seed " + SEED + ": " + accepted + " statements accepted, " + refused
                + " refused by the server, " + unread + " not read, " + maps + " table maps compared, " + copies
                + " tables made of the written text";
        assertEquals(List.of(), failures, figures);
        assertTrue(unread <= accepted / 100, figures);
        LoggerFactory.getLogger(getClass()).info(figures);
    }

    private void step(Sql sql, Sql plain) throws SQLException, IOException {
        boolean create = tables.isEmpty() || (tables.size() < TABLES && grammar.chance(20));
        if (!create && grammar.chance(4)) {
            TableName gone = anyTable();
            plain.execute("DROP TABLE " + gone);
            tables.remove(gone);
            return;
        }
        TableName name = create ? new TableName(anySchema(), "t" + made++) : anyTable();
        settle(sql, name.schema());
        TableDefinition before = tables.get(name);
        String statement = create ? creation(name) : grammar.alter(before, name.toString());
        try {
            sql.execute(statement);
        } catch (SQLException e) {
            refused++;
            return;
        }
        accepted++;
        Function<TableName, Optional<TableDefinition>> like = other -> Optional.ofNullable(tables.get(other));
        Optional<TableDefinition> read = create
                ? DefinitionReader.create(statement, session, like)
                : DefinitionReader.alter(before, statement, session);
        TableDefinition shown = shown(plain, name);
        if (read.isEmpty()) {
            unread++;
            note("not read: " + statement);
        } else if (!check(plain, statement, read.get(), shown)) {
            tables.put(name, shown);
            return;
        }
        if (read.isEmpty()) {
            plain.execute("DROP TABLE " + name); // it may have values that no server shows as they are
            tables.remove(name);
            return;
        }
        tables.put(name, read.get());
        compareMap(sql, statement, tables.get(name));
        if (grammar.chance(20)) {
            copy(plain, statement, tables.get(name));
        }
    }

    private String creation(TableName name) {
        List<TableName> others = tables.keySet().stream().toList();
        if (!others.isEmpty() && grammar.chance(10)) {
            return "CREATE TABLE " + name + " LIKE " + others.get(random.nextInt(others.size()));
        }
        return grammar.create(name.toString());
    }

    private TableName anyTable() {
        return tables.keySet().stream().toList().get(random.nextInt(tables.size()));
    }

    private String anySchema() {
        return SCHEMAS.keySet().stream().sorted().toList().get(random.nextInt(SCHEMAS.size()));
    }

    /** Draws the settings of the session for one statement. */
    private void settle(Sql sql, String schema) throws SQLException {
        List<String> modes = new ArrayList<>();
        long bits = NO_MODE;
        for (String mode : MODES.keySet().stream().sorted().toList()) {
            if (grammar.chance(mode.startsWith("STRICT") ? 50 : 8)) {
                modes.add(mode);
                bits |= MODES.get(mode);
            }
        }
        boolean explicit = grammar.chance(92);
        sql.execute(
                "SET SESSION sql_mode = '" + String.join(",", modes) + "'",
                "SET SESSION explicit_defaults_for_timestamp = " + (explicit ? 1 : 0),
                "SET SESSION foreign_key_checks = 0");
        if (grammar.chance(10)) {
            metadata = grammar.chance(50) ? Metadata.Kind.FULL : Metadata.Kind.MINIMAL;
            sql.execute("SET GLOBAL binlog_row_metadata = " + metadata);
        }
        session = ReadSession.standard(schema)
                .withSqlMode(bits)
                .withSchemaCollation(SCHEMAS.get(schema))
                .withExplicitDefaultsForTimestamp(explicit);
    }

    private static TableDefinition shown(Sql plain, TableName name) throws SQLException {
        String text = plain.rows("SHOW CREATE TABLE " + name).get(0).get("Create Table");
        return DefinitionReader.create(text, ReadSession.standard(name.schema()), other -> Optional.empty())
                .orElseThrow(() -> new AssertionError("SHOW CREATE TABLE is not read: " + text));
    }

    private void note(String failure) {
        LoggerFactory.getLogger(getClass()).warn(failure);
    }

    private boolean check(Sql plain, String statement, TableDefinition read, TableDefinition shown)
            throws SQLException {
        List<String> found = new ArrayList<>();
        Conformity.differences(read, shown).forEach(one -> found.add(one.toString()));
        found.addAll(ServerTable.disagreements(plain, read));
        if (!names(read).equals(names(shown))) {
            found.add("keys " + names(read) + " and " + names(shown));
        }
        if (!read.collation().equals(shown.collation())) {
            found.add("default collations " + read.collation() + " and " + shown.collation());
        }
        if (!found.isEmpty()) {
            fail(statement, read, found);
        }
        return found.isEmpty();
    }

    private static List<String> names(TableDefinition table) {
        boolean hasOwn = !table.foreignKeys()
                .isEmpty(); // an index that a server made for a foreign key goes when another serves
        return Stream.concat(
                        table.keys().stream()
                                .filter(key -> !hasOwn || key.kind() != Key.Kind.PLAIN)
                                .map(Key::toString),
                        table.checks().stream().map(Check::toString))
                .sorted()
                .toList();
    }

    private void fail(String statement, TableDefinition read, List<String> found) {
        failures.add("statement " + accepted + ": " + statement + "\n  before "
                + Optional.ofNullable(tables.get(read.name()))
                        .map(CreateTable::text)
                        .orElse("none") + "\n  in " + session + "\n  "
                + String.join("\n  ", found));
    }

    private void compareMap(Sql sql, String statement, TableDefinition table) throws SQLException, IOException {
        sql.execute("SET SESSION sql_mode = ''", "DELETE FROM " + table.name());
        try {
            sql.execute("INSERT INTO " + table.name() + " () VALUES ()");
        } catch (SQLException e) {
            return; // a column without default, such as a geometry, or a check
        }
        byte[] server = lastMap(table.name());
        if (server == null) {
            return;
        }
        byte[] ours = TableMap.body(table, new Metadata(metadata, false, VERSION));
        maps++;
        if (!Arrays.equals(server, ours)) {
            HexFormat hex = HexFormat.of();
            fail(
                    statement,
                    table,
                    List.of("table map, server " + hex.formatHex(server), "table map, ours   " + hex.formatHex(ours)));
        }
    }

    private byte[] lastMap(TableName name) throws IOException {
        byte[] found = null;
        for (BinlogEvent event = binlog.next(); event != null; event = binlog.next()) {
            ByteBuffer bytes = event.bytes();
            boolean ofTable = event.type() == TABLE_MAP
                    && TableMapEvent.schema(bytes, 0).equals(name.schema())
                    && TableMapEvent.table(bytes, 0).equals(name.table());
            if (ofTable) {
                int from = TableMapEvent.bodyAt(bytes, 0);
                found = new byte[bytes.limit() - from];
                bytes.get(from, found);
            }
        }
        return found;
    }

    /** Makes the table of the written text elsewhere, and reads the text again. */
    private void copy(Sql plain, String statement, TableDefinition table) throws SQLException {
        TableDefinition wanted =
                table.named(new TableName("copies", table.name().table()));
        String text = CreateTable.text(wanted);
        Optional<TableDefinition> again =
                DefinitionReader.create(text, ReadSession.standard("copies"), other -> Optional.empty());
        if (!again.equals(Optional.of(wanted))) {
            fail(statement, table, List.of("written as " + text, "read again as " + again, "wanted " + wanted));
        }
        plain.execute("DROP TABLE IF EXISTS " + wanted.name(), "SET sql_mode = ''", "SET foreign_key_checks = 0");
        try {
            plain.execute(text);
        } catch (SQLException e) {
            fail(statement, table, List.of("the server refuses " + text + ": " + e.getMessage()));
            return;
        }
        copies++;
        check(plain, text, wanted, shown(plain, wanted.name()));
    }
}
