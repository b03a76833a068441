package io.tributary.schema.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/**
 * Texts that a real server considers equal have one form, for each collation that has a form: all ASCII texts of up to two characters, and random longer
 * ones. A server that cannot be installed is skipped.
 */
class KeyCollationsServerTest {
    private static final long SEED = Long.getLong("seed", 20261127);
    private static final int ASCII = 128;
    private static final int RANDOM_TEXTS = 20_000;

    /** Letters of which languages have rules: digraphs, and letters that are equal in some of them. */
    private static final String LETTERS = "aAbBcCsShHzZdDlLnNjJiIyYvVwWoOuUeEtTkK  \t\u0001\u007f-_'";

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void equalTextsHaveOneForm(MysqlRelease release) throws Exception {
        try (MysqlServer server = start(release);
                Sql sql = server.sql()) {
            fill(sql);
            List<String> failures = new ArrayList<>();
            int folded = 0;
            for (Map<String, String> row : sql.rows("SELECT COLLATION_NAME AS c, CHARACTER_SET_NAME AS cs"
                    + " FROM information_schema.COLLATIONS WHERE COLLATION_NAME IS NOT NULL")) {
                String collation = named(row.get("c"), row.get("cs"));
                Optional<KeyForm> form = KeyCollations.formOf(collation);
                boolean isFolded = form.equals(Optional.of(KeyForm.FOLDED_TEXT));
                if (isFolded) {
                    folded++;
                    failures.addAll(differing(sql, collation));
                } else if (form.isPresent() && !collation.equals("binary")) {
                    failures.addAll(differingBytes(sql, collation));
                }
            }
            assertEquals(List.of(), failures, "seed " + SEED);
            assertTrue(folded > 30, "collations: " + folded);
        }
    }

    private static MysqlServer start(MysqlRelease release) {
        try {
            release.distribution();
        } catch (RuntimeException e) { // no Debian, or no network
            throw new TestAbortedException("server not available: " + e.getMessage(), e);
        }
        return MysqlServer.start(MysqlOptions.named("collations").of(release));
    }

    /** MariaDB lists its newer collations without their character set. */
    private static String named(String collation, String charset) {
        return charset == null || charset.isEmpty() ? "utf8mb4_" + collation : collation;
    }

    private static void fill(Sql sql) throws SQLException {
        sql.execute(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.texts (s VARBINARY(60), form VARBINARY(60))",
                "CREATE TABLE shop.points (s VARCHAR(4) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)",
                "SET autocommit = 0");
        SplittableRandom random = new SplittableRandom(SEED);
        try (PreparedStatement insert = sql.connection().prepareStatement("INSERT INTO shop.texts VALUES (?, ?)")) {
            for (int i = 0; i < ASCII; i++) {
                add(insert, Character.toString(i));
                for (int j = 0; j < ASCII; j++) {
                    add(insert, Character.toString(i) + (char) j);
                }
            }
            for (int i = 0; i < RANDOM_TEXTS; i++) {
                StringBuilder text = new StringBuilder();
                for (int length = random.nextInt(6); length >= 0; length--) {
                    text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
                }
                add(insert, text.toString());
            }
            insert.executeBatch();
        }
        try (PreparedStatement insert = sql.connection().prepareStatement("INSERT INTO shop.points VALUES (?)")) {
            for (int point = 1; point < Character.MIN_SURROGATE; point++) {
                insert.setString(1, Character.toString(point));
                insert.addBatch();
                if (point % 97 == 0) {
                    insert.setString(1, Character.toString(point) + "  ");
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
        sql.execute("COMMIT");
    }

    private static void add(PreparedStatement insert, String text) throws SQLException {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        insert.setBytes(1, bytes);
        insert.setBytes(2, KeyReader.folded(bytes));
        insert.addBatch();
    }

    private static List<String> differing(Sql sql, String collation) throws SQLException {
        String charset = collation.substring(0, collation.indexOf('_'));
        return texts(
                sql,
                collation,
                "SELECT HEX(MIN(s)) AS a, HEX(MAX(s)) AS b FROM shop.texts GROUP BY CONVERT(s USING " + charset
                        + ") COLLATE " + collation + " HAVING COUNT(DISTINCT form) > 1 LIMIT 5");
    }

    private static List<String> differingBytes(Sql sql, String collation) throws SQLException {
        String text = "CONVERT(s USING " + collation.substring(0, collation.indexOf('_')) + ")";
        return texts(
                sql,
                collation,
                "SELECT HEX(MIN(s)) AS a, HEX(MAX(s)) AS b FROM shop.points GROUP BY " + text + " COLLATE " + collation
                        + " HAVING COUNT(DISTINCT HEX(TRIM(TRAILING ' ' FROM " + text + "))) > 1 LIMIT 5");
    }

    private static List<String> texts(Sql sql, String collation, String query) throws SQLException {
        return sql.rows(query).stream()
                .map(row -> collation + ": " + row.get("a") + " = " + row.get("b"))
                .toList();
    }
}
