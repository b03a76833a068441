package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Which table maps have rows with the same columns. */
class TableMapEventTest {
    private static final String HEAD = "4d0000000000" + "0100";
    private static final String NAMES = "0473686f7000" + "017400";
    /** INT, VARCHAR(20), ENUM: the types, then their metadata. */
    private static final String COLUMNS = "03" + "030ffe" + "04" + "5000" + "f701";

    private static final String NULLS = "06";
    private static final String SIGNS = "010100";
    private static final String CHARSET = "0201ff";
    private static final String COLUMN_NAMES = "0406" + "0161" + "0162" + "0163";
    private static final String VALUES = "0605" + "02" + "0178" + "0179";
    private static final String KEY = "080100";
    private static final String KEY_PREFIX = "09020104";
    private static final String ENUM_CHARSET = "0a01ff";
    private static final String VISIBILITY = "0c01e0";
    private static final String ALL = NULLS + SIGNS + CHARSET + COLUMN_NAMES + VALUES + KEY + ENUM_CHARSET + VISIBILITY;

    private static ByteBuffer map(String names, String body) {
        ByteBuffer event = Handmade.event(EventType.TABLE_MAP_EVENT, HEAD + names + body);
        TableMapEvent.check(event, 0, event.limit());
        return event;
    }

    private static String rowShape(String names, String body) {
        ByteBuffer event = map(names, body);
        return HexFormat.of().formatHex(TableMapEvent.rowShape(event, 0, event.limit()));
    }

    private static String rowShape(String optional) {
        return rowShape(NAMES, COLUMNS + optional);
    }

    @Test
    void aTableShapeHasNullabilitySignsAndTheValuesOfEnumColumns() {
        ByteBuffer event = map(NAMES, COLUMNS + NULLS + SIGNS + "0203fcff00" + COLUMN_NAMES + VALUES + "0a0108");
        TableShape shape = TableShape.of(event, 0, event.limit());
        assertFalse(shape.isNullable(0));
        assertTrue(shape.isNullable(1));
        assertTrue(shape.saysSigns());
        assertEquals(255, shape.collation(1));
        assertEquals(8, shape.collation(2));
        assertEquals(2, shape.values(2).size());
        assertArrayEquals(new byte[] {'y'}, shape.values(2).get(1));
        assertEquals(4, shape.width(0));
        assertEquals(-1, shape.width(1));
        assertEquals(1, shape.width(2));
    }

    @Test
    void theShapeOfRowsIsTypesSignsCharacterSetsNamesAndValues() {
        assertEquals(COLUMNS + SIGNS + CHARSET + COLUMN_NAMES + VALUES + ENUM_CHARSET, rowShape(ALL));
    }

    @Test
    void namesNullabilityKeysAndVisibilityAreNotPartOfTheShape() {
        String shape = rowShape(ALL);
        assertEquals(shape, rowShape("01730002" + "743700", COLUMNS + ALL));
        assertEquals(shape, rowShape(ALL.replace(NULLS + SIGNS, "00" + SIGNS)));
        assertEquals(shape, rowShape(ALL.replace(KEY, "")));
        assertEquals(shape, rowShape(ALL.replace(KEY, KEY_PREFIX)));
        assertEquals(shape, rowShape(ALL.replace(VISIBILITY, "")));
        assertEquals(shape, rowShape(ALL.replace(VISIBILITY, "0c01c0")));
    }

    @Test
    void propertiesThatRowsDependOnArePartOfTheShape() {
        String shape = rowShape(ALL);
        assertNotEquals(shape, rowShape(NAMES, COLUMNS.replace("030ffe", "080ffe") + ALL));
        assertNotEquals(shape, rowShape(NAMES, COLUMNS.replace("5000", "5100") + ALL));
        assertNotEquals(shape, rowShape(ALL.replace(SIGNS, "010180")));
        assertNotEquals(shape, rowShape(ALL.replace(CHARSET, "020108")));
        assertNotEquals(shape, rowShape(ALL.replace(CHARSET, "0301ff")));
        assertNotEquals(shape, rowShape(ALL.replace(COLUMN_NAMES, "0406" + "0161" + "0162" + "0164")));
        assertNotEquals(shape, rowShape(ALL.replace(VALUES, "0605" + "02" + "0178" + "017a")));
        assertNotEquals(shape, rowShape(ALL.replace(ENUM_CHARSET, "0a0108")));
        for (String field : new String[] {"0503020161", "070101", "0b01ff", "0d0103", "7f0101"}) {
            assertEquals(shape + field, rowShape(ALL + field));
        }
    }

    @Test
    void showsWhetherItNamesTheColumns() {
        ByteBuffer full = map(NAMES, COLUMNS + ALL);
        ByteBuffer minimal = map(NAMES, COLUMNS + NULLS + SIGNS + CHARSET);
        ByteBuffer bare = map(NAMES, COLUMNS + NULLS);
        assertTrue(TableMapEvent.namesColumns(full, 0, full.limit()));
        assertFalse(TableMapEvent.namesColumns(minimal, 0, minimal.limit()));
        assertFalse(TableMapEvent.namesColumns(bare, 0, bare.limit()));
        assertArrayEquals(HexFormat.of().parseHex(COLUMNS), TableMapEvent.rowShape(bare, 0, bare.limit()));
    }
}
