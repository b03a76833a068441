package io.tributary.schema.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.read.SessionCollations;
import io.tributary.schema.read.SessionVariables;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Random statements on a real server: after each one that it accepts, the definition that was computed from the statements equals the one on
 * the server, the table map that is written for it has the server's bytes, and the statement that is written for it creates the same table.
 * Long runs: {@code -Dschema.statements=10000 -Dschema.seed=S}; on one of the servers {@code -Dschema.release=MYSQL_9}. MySQL 9 and
 * MariaDB are installed with apt; if that is not possible, they are skipped.
 */
class DefinitionDifferentialTest {
    private static final long SEED = Long.getLong("schema.seed", 20261123);
    private static final String ONLY = System.getProperty("schema.release", "");
    private static final int TABLES = 6;
    private static final int TABLE_MAP = 19;
    private static final Duration ENDING = Duration.ofMinutes(1);
    private static final Map<String, Long> MODES = Map.of(
            "REAL_AS_FLOAT", 1L,
            "PIPES_AS_CONCAT", 2L,
            "ANSI_QUOTES", 4L,
            "NO_BACKSLASH_ESCAPES", 0x10_0000L,
            "STRICT_TRANS_TABLES", 0x20_0000L);
    private static final long NO_MODE = 0;

    private final Random random = new Random(SEED);
    private final Map<TableName, TableDefinition> tables = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private MysqlRelease release;
    private int statements;
    private String utf8mb4;
    private Map<String, String> schemas;
    private StatementGrammar grammar;
    private BinlogFile binlog;
    private int version;
    private ReadSession session;
    private Metadata.Kind metadata = Metadata.Kind.FULL;
    private int accepted;
    private int refused;
    private int ends;
    private int unread;
    private int maps;
    private int otherKeys;
    private int copies;
    private int made;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MYSQL_9", "MARIADB_10_11"})
    void aDefinitionReadFromStatementsEqualsTheOneOfARealServer(MysqlRelease of) throws SQLException, IOException {
        assumeTrue(ONLY.isEmpty() || ONLY.equals(of.name()), "skipped: only " + ONLY + " was requested");
        set(of);
        try (MysqlServer server =
                MysqlServer.start(MysqlOptions.named("definitions").of(release))) {
            try (Sql plain = server.sql()) {
                makeSchemas(plain);
            }
            while (accepted < statements && failures.size() < 8) {
                if (!run(server)) {
                    ends++;
                    server.restart();
                }
            }
        }
        String figures = release + ", seed " + SEED + ": " + accepted + " statements accepted, " + refused
                + " refused by the server, " + ends + " times the server ended, " + unread + " not read, " + maps
                + " table maps compared (" + otherKeys
                + " of them with another unique key), " + copies
                + " tables created from the written text";
        assertEquals(List.of(), failures, figures);
        assertTrue(unread <= accepted / 100 + 10, figures); // a short run may have a few more
        assertTrue(ends <= (release.isMariadb() ? 1 + accepted / 1000 : 0), figures);
        LoggerFactory.getLogger(getClass()).info(figures);
    }

    private void set(MysqlRelease of) {
        try {
            version = number(of.distribution().version());
        } catch (UncheckedIOException e) {
            abort("skipped: " + of + " is not available: " + e.getMessage());
        }
        release = of;
        statements = Integer.getInteger("schema.statements", of == MysqlRelease.MYSQL_8_0_31 ? 500 : 300);
        utf8mb4 = of.isMariadb() ? "utf8mb4_general_ci" : "utf8mb4_0900_ai_ci";
        schemas = Map.of(
                "d_latin1", "latin1_swedish_ci", "d_utf8", "utf8mb3_general_ci", "d_new", utf8mb4, "d_bin", "binary");
        grammar = of.isMariadb() ? new MariadbGrammar(random) : new StatementGrammar(random);
    }

    private void makeSchemas(Sql plain) throws SQLException {
        for (Map.Entry<String, String> schema : schemas.entrySet()) {
            String charset = schema.getValue().split("_", 2)[0];
            plain.execute(
                    "CREATE DATABASE " + schema.getKey() + " CHARACTER SET " + charset + " COLLATE "
                            + schema.getValue(),
                    "CREATE TABLE " + schema.getKey() + ".p (id INT PRIMARY KEY)");
        }
        plain.execute("CREATE DATABASE copies", "CREATE TABLE copies.p (id INT PRIMARY KEY)");
    }

    /** Runs statements until there are enough; returns false if one ends the server, as some do with MariaDB. */
    private boolean run(MysqlServer server) throws SQLException, IOException {
        List<Path> files = server.binlogFiles();
        try (Sql sql = server.sql();
                Sql plain = server.sql();
                BinlogFile file = BinlogFile.open(files.get(files.size() - 1))) {
            binlog = file;
            metadata = Metadata.Kind.FULL;
            for (TableName left : tables.keySet()) {
                plain.execute("DROP TABLE IF EXISTS " + left);
            }
            tables.clear();
            while (accepted < statements && failures.size() < 8) {
                step(sql, plain);
            }
            return true;
        } catch (SQLNonTransientConnectionException lost) {
            Await.until("a server without a connection to end", ENDING, () -> !server.isRunning());
            return false;
        }
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
        drawSettings(sql, name.schema());
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
        Optional<TableDefinition> onServer = definition(plain, name);
        if (read.isEmpty() || onServer.isEmpty()) {
            unread++;
            note("not read: " + statement);
            plain.execute("DROP TABLE " + name); // it may have values that the server does not show exactly
            tables.remove(name);
            return;
        }
        TableDefinition shown = onServer.get();
        if (!check(plain, statement, read.get(), shown)) {
            plain.execute("DROP TABLE " + name); // each difference is reported once
            tables.remove(name);
            return;
        }
        tables.put(name, hasIndexesOfForeignKeys(name, shown) ? shown : read.get());
        compareMap(sql, statement, tables.get(name));
        if (grammar.chance(20) && isCopied(tables.get(name))) {
            copy(plain, statement, tables.get(name));
        }
    }

    /** Whether the table has or had foreign keys: an index that a server created for one is dropped if another serves. */
    private boolean hasIndexesOfForeignKeys(TableName name, TableDefinition shown) {
        TableDefinition before = tables.get(name);
        return !shown.foreignKeys().isEmpty()
                || (before != null && !before.foreignKeys().isEmpty());
    }

    private String creation(TableName name) {
        List<TableName> others = tables.values().stream()
                .filter(table ->
                        !release.isMariadb() || table.foreignKeys().isEmpty()) // of which it copies some indexes
                .map(TableDefinition::name)
                .toList();
        if (!others.isEmpty() && grammar.chance(10)) {
            return "CREATE TABLE " + name + " LIKE " + others.get(random.nextInt(others.size()));
        }
        return grammar.create(name.toString());
    }

    private TableName anyTable() {
        return tables.keySet().stream().toList().get(random.nextInt(tables.size()));
    }

    private String anySchema() {
        return schemas.keySet().stream().sorted().toList().get(random.nextInt(schemas.size()));
    }

    /** Draws the session settings for one statement; without foreign_key_checks newer servers drop indexes that foreign keys need. */
    private void drawSettings(Sql sql, String schema) throws SQLException {
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
                "SET SESSION foreign_key_checks = " + (release == MysqlRelease.MYSQL_8_0_31 ? 0 : 1));
        if (grammar.chance(10)) {
            metadata = grammar.chance(50) ? Metadata.Kind.FULL : Metadata.Kind.MINIMAL;
            sql.execute("SET GLOBAL binlog_row_metadata = " + metadata);
        }
        session = session(schema, bits, schemas.get(schema)).withExplicitDefaultsForTimestamp(explicit);
    }

    private ReadSession session(String schema, long mode, String collation) {
        return new ReadSession(
                schema,
                new SessionVariables(mode, true, false),
                new SessionCollations(collation, utf8mb4, utf8mb4),
                new ServerVersion(release.isMariadb(), version));
    }

    /** A session with default settings. */
    private ReadSession plainSession(String schema) {
        return session(schema, MODES.get("STRICT_TRANS_TABLES"), utf8mb4);
    }

    /** The number of a version, such as 80031 for 8.0.31 and 101118 for 10.11.18. */
    private static int number(String version) {
        String[] parts = version.split("\\.", -1);
        return Integer.parseInt(parts[0]) * 10_000 + Integer.parseInt(parts[1]) * 100 + Integer.parseInt(parts[2]);
    }

    private TableDefinition shown(Sql plain, TableName name) throws SQLException {
        return definition(plain, name).orElseThrow(() -> new AssertionError("SHOW CREATE TABLE is not read: " + name));
    }

    /** The definition in SHOW CREATE TABLE; for MariaDB nothing if it shows a key that it does not store. */
    private Optional<TableDefinition> definition(Sql plain, TableName name) throws SQLException {
        String shown = plain.rows("SHOW CREATE TABLE " + name).get(0).get("Create Table");
        String text = shown.replace("(`x`y`)", "(`x``y`)"); // MariaDB shows the column of a foreign key without quoting
        Optional<TableDefinition> read =
                DefinitionReader.create(text, plainSession(name.schema()), other -> Optional.empty());
        assertTrue(release.isMariadb() || read.isPresent(), () -> "SHOW CREATE TABLE is not read: " + text);
        return read;
    }

    private void note(String failure) {
        LoggerFactory.getLogger(getClass()).warn(failure);
    }

    private boolean check(Sql plain, String statement, TableDefinition read, TableDefinition shown)
            throws SQLException {
        List<String> found = new ArrayList<>();
        Conformity.differences(read, shown).forEach(one -> found.add(one.toString()));
        found.addAll(ServerTable.disagreements(plain, read, release.isMariadb()));
        boolean withPlain = !hasIndexesOfForeignKeys(read.name(), shown);
        List<String> own = names(read, withPlain);
        // in MariaDB a key may get the name of such an index, and then replaces it
        List<String> servers = !withPlain && release.isMariadb() ? own : names(shown, withPlain);
        if (!own.equals(servers)) {
            found.add("keys " + own + " and " + servers);
        }
        if (!read.collation().equals(shown.collation())) {
            found.add("default collations " + read.collation() + " and " + shown.collation());
        }
        if (!readAgain(read).equals(Optional.of(read))) {
            found.add("parsed again from the written text: "
                    + readAgain(read).map(CreateTable::text).orElse("nothing"));
        }
        if (!found.isEmpty()) {
            fail(statement, read, found);
        }
        return found.isEmpty();
    }

    /** The table as the journal stores it, without the server of the table. */
    private static Optional<TableDefinition> readAgain(TableDefinition table) {
        ReadSession standard = ReadSession.standard(table.name().schema());
        return DefinitionReader.create(CreateTable.text(table), standard, other -> Optional.empty());
    }

    private static List<String> names(TableDefinition table, boolean withPlain) {
        return Stream.concat(
                        table.keys().stream()
                                .filter(key -> withPlain || key.kind() != TableKey.Kind.PLAIN)
                                .map(TableKey::toString),
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
            return; // a column without a default, such as a geometry, or a check
        }
        byte[] server = lastMap(table.name());
        if (server == null || hasHashOfPrimaryKey(table)) {
            return;
        }
        byte[] ours = TableMap.body(table, new Metadata(metadata, release.isMariadb(), version));
        maps++;
        if (!Arrays.equals(server, ours) && differsInRowKey(server, table)) {
            otherKeys++;
        } else if (!Arrays.equals(server, ours)) {
            HexFormat hex = HexFormat.of();
            fail(
                    statement,
                    table,
                    List.of(
                            "table map, server  " + hex.formatHex(server),
                            "table map, written " + hex.formatHex(ours)));
        }
    }

    /**
     * In MariaDB a check that is a part of its column may have the name of a key; one outside of columns may not. And the prefix that it shows for a
     * geometry in a key may be longer than it accepts.
     */
    private boolean isCopied(TableDefinition table) {
        boolean hasGeometry = table.keys().stream()
                .flatMap(key -> key.parts().stream())
                .anyMatch(part -> table.column(part.column())
                        .filter(column -> column.type().isGeometry())
                        .isPresent());
        return !release.isMariadb()
                || !hasGeometry
                        && table.checks().stream()
                                .noneMatch(check -> table.keys().stream()
                                        .anyMatch(key -> key.name().equalsIgnoreCase(check.name())));
    }

    /** The hidden column of a hash is nullable if its column became NOT NULL only by the primary key, which no definition shows. */
    private static boolean hasHashOfPrimaryKey(TableDefinition table) {
        List<String> primary = table.primaryKey().stream()
                .flatMap(key -> key.parts().stream())
                .map(KeyPart::column)
                .toList();
        return table.keys().stream()
                .filter(table::isByHash)
                .anyMatch(key -> key.parts().stream().anyMatch(part -> primary.contains(part.column())));
    }

    /**
     * Whether the server's map differs only in the key of the rows, in a table without a primary key: MariaDB uses one of its unique keys,
     * or none, depending on earlier forms of the table, which no statement shows.
     */
    private boolean differsInRowKey(byte[] server, TableDefinition table) {
        if (!release.isMariadb() || table.primaryKey().isPresent() || metadata != Metadata.Kind.FULL) {
            return false;
        }
        TableDefinition bare = new TableDefinition(
                table.name(),
                table.columns(),
                table.keys().stream().filter(table::isByHash).toList(),
                table.constraints(),
                table.collation());
        byte[] ours = TableMap.body(bare, new Metadata(metadata, true, version));
        int key = server.length > ours.length ? server[ours.length] : OptionalMetadata.SIMPLE_PRIMARY_KEY;
        boolean isKey = key == OptionalMetadata.SIMPLE_PRIMARY_KEY || key == OptionalMetadata.PRIMARY_KEY_WITH_PREFIX;
        return isKey && Arrays.equals(ours, Arrays.copyOf(server, ours.length));
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

    /** Creates the table elsewhere from the written text, with MySQL's own terms converted to MariaDB's, and parses the text again. */
    private void copy(Sql plain, String statement, TableDefinition table) throws SQLException {
        TableDefinition copied =
                table.named(new TableName("copies", table.name().table()));
        String text = CreateTable.text(copied);
        String own = release.isMariadb()
                ? text.replace("/*!80023 INVISIBLE */", "INVISIBLE")
                        .replace("/*!80000 INVISIBLE */", "IGNORED")
                        .replace(" STORED NULL", " STORED")
                        .replace(" VIRTUAL NULL", " VIRTUAL")
                        .replace("` geomcollection", "` geometrycollection")
                : text;
        Optional<TableDefinition> again =
                DefinitionReader.create(text, ReadSession.standard("copies"), other -> Optional.empty());
        if (!again.equals(Optional.of(copied))) {
            fail(statement, table, List.of("written as " + text, "parsed again as " + again, "expected " + copied));
        }
        plain.execute("DROP TABLE IF EXISTS " + copied.name(), "SET sql_mode = ''", "SET foreign_key_checks = 0");
        try {
            plain.execute(own);
        } catch (SQLException e) {
            fail(statement, table, List.of("the server rejects " + own + ": " + e.getMessage()));
            return;
        }
        copies++;
        check(plain, own, copied, shown(plain, copied.name()));
        plain.execute("DROP TABLE " + copied.name()); // names of checks are unique in a schema
    }
}
