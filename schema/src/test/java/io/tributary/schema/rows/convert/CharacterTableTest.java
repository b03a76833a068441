package io.tributary.schema.rows.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares every character of each character set with a real server. */
class CharacterTableTest {
    private static MysqlServer server;

    @BeforeAll
    static void startServer() {
        server = MysqlServer.start(MysqlOptions.named("characters"));
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @Test
    void collationsHaveTheServersCharacterSets() throws SQLException {
        try (Sql sql = server.sql()) {
            for (Map<String, String> row :
                    sql.rows("SELECT id, character_set_name name FROM information_schema.collations")) {
                CharacterSet set = CharacterSet.of(Integer.parseInt(row.get("id")));
                String name = row.get("name").equals("utf8") ? "utf8mb3" : row.get("name");
                assertEquals(name.toUpperCase(Locale.ROOT), String.valueOf(set), row.toString());
            }
            for (Map<String, String> row :
                    sql.rows("SELECT character_set_name name, maxlen FROM information_schema.character_sets")) {
                String name = row.get("name").equals("utf8") ? "utf8mb3" : row.get("name");
                CharacterSet set = CharacterSet.valueOf(name.toUpperCase(Locale.ROOT));
                assertEquals(row.get("MAXLEN"), Integer.toString(set.most()), row.toString());
            }
        }
    }

    @Test
    void everyCharacterIsMappedAsOnTheServer() throws SQLException {
        List<String> wrong = new ArrayList<>();
        for (CharacterSet set : List.of(
                CharacterSet.LATIN1,
                CharacterSet.GBK,
                CharacterSet.BIG5,
                CharacterSet.SJIS,
                CharacterSet.CP932,
                CharacterSet.EUCKR,
                CharacterSet.UJIS,
                CharacterSet.EUCJPMS,
                CharacterSet.GB18030)) {
            compare(set, "v", 65536, wrong);
            if (set.isEuc()) {
                compare(set, "v + 0x8f0000", 65536, wrong);
            }
            if (set == CharacterSet.GB18030) {
                compare(
                        set,
                        "((v DIV 12600 + 0x81) << 24) + ((v DIV 1260 % 10 + 0x30) << 16) + ((v DIV 10 % 126 + 0x81) << 8) + v % 10 + 0x30",
                        39420,
                        wrong);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static int code(byte[] encoded) {
        return new java.math.BigInteger(1, encoded).intValue();
    }

    /** Compares all codes at once with the server's code points. */
    private static void compare(CharacterSet set, String code, int count, List<String> wrong) throws SQLException {
        CharacterTable table = CharacterTable.of(set);
        String name = set.name().toLowerCase(Locale.ROOT);
        try (Sql sql = server.sql();
                Statement statement = sql.connection().createStatement()) {
            statement.execute("SET cte_max_recursion_depth = 100000");
            ResultSet rows =
                    statement.executeQuery("WITH RECURSIVE n (v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM n WHERE v < "
                            + (count - 1) + ") SELECT c, HEX(CHAR(c USING " + name + ")), HEX(CONVERT(CHAR(c USING "
                            + name
                            + ") USING utf32)) FROM (SELECT " + code + " c FROM n) m");
            while (rows.next()) {
                String bytes = rows.getString(2);
                String points = rows.getString(3);
                if (bytes == null || points == null || points.length() != 8) {
                    continue;
                }
                byte[] encoded = java.util.HexFormat.of().parseHex(bytes);
                int expected = Integer.parseInt(points, 16);
                int next = table.next(ByteBuffer.wrap(encoded), 0, encoded.length);
                int actual = next < 0 || CharacterTable.bytes(next) != encoded.length ? -1 : CharacterTable.point(next);
                if (set.length(ByteBuffer.wrap(encoded), 0, encoded.length) != encoded.length) {
                    continue; // the server has converted a part of it
                }
                if (expected == '?' && code(encoded) != '?') {
                    expected = -1;
                }
                if (actual != expected) {
                    wrong.add(name + " " + bytes + ": the server has " + Integer.toHexString(expected)
                            + ", the table has " + Integer.toHexString(actual));
                }
            }
        }
    }
}
