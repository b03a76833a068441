package io.tributary.schema.write;

import static io.tributary.schema.Statements.tableOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Table maps that a real 8.0.31 does not write; {@code DefinitionDifferentialTest} tests the others. */
class TableMapTest {
    private static String body(String columns, Metadata settings) {
        return HexFormat.of().formatHex(TableMap.body(tableOf("CREATE TABLE t (" + columns), settings));
    }

    @Test
    void withoutMetadataTheBodyEndsWithTheNullBitmap() {
        assertEquals(
                "02030f021e0001",
                body("a INT, b VARCHAR(30) CHARSET latin1 NOT NULL)", new Metadata(Metadata.Kind.NONE, false, 50700)));
    }

    @Test
    void visibilityIsWrittenFromMysql8023On() {
        String before = body("a INT NOT NULL)", new Metadata(Metadata.Kind.FULL, false, 80022));
        assertEquals("0103000001010004020161", before);
        assertEquals(before + "0c0180", body("a INT NOT NULL)", new Metadata(Metadata.Kind.FULL, false, 80023)));
        assertEquals(before, body("a INT NOT NULL)", new Metadata(Metadata.Kind.FULL, true, 101100)));
    }

    @Test
    void vectorsContainTheirDimensions() {
        assertEquals("01f201040102013f0d0107", body("a VECTOR(7))", new Metadata(Metadata.Kind.MINIMAL, false, 90100)));
    }

    @Test
    void mariadbHasVirtualColumnsAndHashesOfLongUniqueKeysInRows() {
        Metadata settings = new Metadata(Metadata.Kind.MINIMAL, true, 101100);
        assertEquals(body("a INT, b INT, c INT)", settings), body("a INT, b INT AS (a + 1), c INT)", settings));
        assertEquals(body("a TEXT, b INT, h BIGINT UNSIGNED)", settings), body("a TEXT, b INT, UNIQUE (a))", settings));
    }

    @Test
    void anUnknownTypeIsRejected() {
        TableDefinition known = tableOf("CREATE TABLE t (a INT)");
        TableDefinition unknown = new TableDefinition(
                known.name(),
                List.of(known.columns().get(0).withType(SqlType.of("nosuch"))),
                List.of(),
                TableConstraints.NONE,
                "");
        assertThrows(IllegalArgumentException.class, () -> TableMap.body(unknown, Metadata.FULL));
        assertArrayEquals(TableMap.body(known, Metadata.FULL), TableMap.body(known, Metadata.FULL));
    }
}
