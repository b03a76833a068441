package io.tributary.collector.writeset;

import static io.tributary.collector.writeset.KeyRows.bytes;
import static io.tributary.collector.writeset.KeyRows.event;
import static io.tributary.collector.writeset.KeyRows.image;
import static io.tributary.collector.writeset.KeyRows.integer;
import static io.tributary.collector.writeset.KeyRows.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.event.EventType;
import io.tributary.schema.keys.HashedKey;
import io.tributary.schema.keys.KeyPlan;
import io.tributary.schema.keys.TableKeys;
import io.tributary.schema.keys.WriteSets;
import io.tributary.schema.write.Metadata;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The keys of rows: which keys a table has, and which values are equal. */
class KeyReaderTest {
    private static final String PEOPLE =
            "CREATE TABLE people (id INT PRIMARY KEY, email VARCHAR(40) COLLATE utf8mb4_0900_ai_ci,"
                    + " code VARBINARY(10), UNIQUE (email), UNIQUE (code(2), id))";

    private final KeyRows tables = new KeyRows().with(PEOPLE);

    private List<Long> person(int id, String email, String code) {
        return tables.keys("people", integer(id), email == null ? null : text(email), code == null ? null : text(code));
    }

    @Test
    void thePrimaryKeyAndEachUniqueKeyWithoutNullAreHashed() {
        // the first is the key of the whole table, because an e-mail may be unhashable
        assertEquals(4, person(1, "a", "c").size());
        assertEquals(3, person(1, null, "c").size());
        assertEquals(2, person(1, null, null).size());
        assertEquals(new HashSet<>(person(1, "a", "c")).size(), 4);
        assertEquals(person(1, "a", "c"), person(1, "a", "c"));
        assertNotEquals(person(1, "a", "c").get(1), person(2, "a", "c").get(1));
        assertEquals(person(1, "a", "c").get(2), person(2, "a", "d").get(2));
    }

    @Test
    void textsThatACollationConsidersEqualHaveOneHash() {
        long key = person(1, "Some One", null).get(2);
        for (String equal : List.of("SOME ONE", "some one  ", "so\u0001me one", "some one \u0002")) {
            assertEquals(key, person(2, equal, null).get(2), equal);
        }
        for (String other : List.of("someone", "some  one", "some one!", "", " some one")) {
            assertNotEquals(key, person(2, other, null).get(2), other);
        }
    }

    @Test
    void aTextWhoseEqualityIsNotKnownLocksItsTable() {
        long lock = person(1, "a", null).get(0);
        assertEquals(WriteSets.SHARED, lock & WriteSets.FLAGS);
        List<Long> keys = person(1, "stra\u00dfe", null);
        assertEquals(List.of(lock, keys.get(1), lock & ~WriteSets.FLAGS | WriteSets.HAS_SHARED), keys);
    }

    @Test
    void onlyThePrefixOfAKeyCounts() {
        assertEquals(person(1, null, "abc").get(2), person(1, null, "abd").get(2));
        assertNotEquals(person(1, null, "abc").get(2), person(1, null, "acc").get(2));
        tables.with("CREATE TABLE words (word VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, UNIQUE (word(3)),"
                + " id INT PRIMARY KEY)");
        long key = tables.keys("words", text("ABCdef"), integer(1)).get(1);
        assertEquals(key, tables.keys("words", text("abc\u00e9"), integer(1)).get(1));
        assertEquals(3, tables.keys("words", text("ab\u00e9"), integer(1)).size());
        assertEquals(
                tables.keys("words", text("a"), integer(1)).get(1),
                tables.keys("words", text("a "), integer(1)).get(1));
    }

    @Test
    void zeroHasOneHash() {
        tables.with("CREATE TABLE numbers (a DECIMAL(4,2) PRIMARY KEY, b FLOAT UNIQUE, c DOUBLE UNIQUE)");
        byte[] zero = {(byte) 0x80, 0};
        byte[] negative = {0x7f, -1};
        byte[] one = {(byte) 0x81, 0};
        byte[] none = new byte[8];
        byte[] minus = {0, 0, 0, 0, 0, 0, 0, (byte) 0x80};
        byte[] minusFloat = {0, 0, 0, (byte) 0x80};
        List<Long> keys = tables.keys("numbers", zero, new byte[4], none);
        assertEquals(keys, tables.keys("numbers", negative, minusFloat, minus));
        assertNotEquals(
                keys.get(0), tables.keys("numbers", one, minusFloat, minus).get(0));
    }

    @Test
    void theEndOfABinaryValueDoesNotCount() {
        tables.with("CREATE TABLE codes (a BINARY(4) PRIMARY KEY, b CHAR(4) COLLATE utf8mb4_bin UNIQUE,"
                + " c VARBINARY(4) UNIQUE)");
        List<Long> keys = tables.keys("codes", text("ab"), text("x"), text("y"));
        assertEquals(keys, tables.keys("codes", bytes(new byte[] {'a', 'b', 0, 0}), text("x  "), text("y")));
        assertNotEquals(
                keys.get(1),
                tables.keys("codes", text("ab"), text("X"), text("y")).get(1));
        assertNotEquals(
                keys.get(2),
                tables.keys("codes", text("ab"), text("x"), text("y ")).get(2));
    }

    @Test
    void bothImagesOfEachRowCount() {
        byte[][] images = {
            image(integer(1), text("a"), null), image(integer(1), text("b"), null),
            image(integer(2), text("b"), null), image(integer(2), text("a"), null)
        };
        List<Long> keys = tables.read(
                        tables.plan("people", Metadata.FULL), event(EventType.UPDATE_ROWS_EVENT, 3, images))
                .orElseThrow();
        assertTrue(keys.containsAll(person(1, "a", null)));
        assertTrue(keys.containsAll(person(2, "b", null)));
        assertEquals(5, new HashSet<>(keys).size());
    }

    @Test
    void rowsThatAreNotAsThePlanExpectsAreNotKnown() {
        KeyPlan plan = tables.plan("people", Metadata.FULL);
        ByteBuffer whole = event(EventType.WRITE_ROWS_EVENT, 3, image(integer(1), text("a"), text("c")));
        assertTrue(tables.read(plan, whole).isPresent());
        byte[] image = image(integer(1), text("a"), text("c"));
        ByteBuffer cut = event(EventType.WRITE_ROWS_EVENT, 3, java.util.Arrays.copyOf(image, image.length - 1));
        assertEquals(Optional.empty(), tables.read(plan, cut));
        ByteBuffer other = event(EventType.WRITE_ROWS_EVENT, 2, image(integer(1), text("a")));
        assertEquals(Optional.empty(), tables.read(plan, other));
        ByteBuffer half = event(EventType.UPDATE_ROWS_EVENT, 3, image);
        assertEquals(Optional.empty(), tables.read(plan, half));
    }

    // ---- which keys

    @Test
    void aTableWithoutKeysIsLockedAsAWhole() {
        tables.with("CREATE TABLE log (a INT, b INT, UNIQUE (a))")
                .with("CREATE TABLE more (a INT, UNIQUE ((a + 1)), id INT PRIMARY KEY)");
        assertEquals(TableKeys.Kind.ONE_AFTER_ANOTHER, tables.keys("log").kind());
        assertEquals(TableKeys.Kind.ONE_AFTER_ANOTHER, tables.keys("more").kind());
        assertEquals(tables.keys("log", integer(1), integer(2)), tables.keys("log", integer(3), null));
        assertNotEquals(tables.keys("log", integer(1), integer(2)), tables.keys("more", integer(1), integer(2)));
    }

    @Test
    void otherCollationsAndVirtualColumnsLockTheTable() {
        tables.with("CREATE TABLE a (id VARCHAR(9) COLLATE utf8mb4_lt_0900_ai_ci PRIMARY KEY)")
                .with("CREATE TABLE b (id VARCHAR(9) CHARACTER SET utf16 PRIMARY KEY)")
                .with("CREATE TABLE c (id INT PRIMARY KEY, d INT AS (id + 1) VIRTUAL UNIQUE)")
                .with("CREATE TABLE d (id INT PRIMARY KEY, d INT AS (id + 1) STORED UNIQUE)");
        for (String table : List.of("a", "b", "c")) {
            assertEquals(TableKeys.Kind.ONE_AFTER_ANOTHER, tables.keys(table).kind(), table);
        }
        assertEquals(TableKeys.Kind.BY_KEYS, tables.keys("d").kind());
        assertEquals(2, tables.keys("d").keys().size());
    }

    @Test
    void aTableWithoutADefinitionAlsoDependsAsItsShardReports() {
        assertEquals(TableKeys.Kind.UNKNOWN, tables.keys("nothing").kind());
    }

    @Test
    void aTableMapThatDiffersFromTheDefinitionIsAlone() {
        tables.with("CREATE TABLE t (id INT PRIMARY KEY, b INT)")
                .with("CREATE TABLE u (id BIGINT PRIMARY KEY, b INT)")
                .with("CREATE TABLE v (b INT, id INT PRIMARY KEY)")
                .with("CREATE TABLE w (id INT UNSIGNED PRIMARY KEY, b INT)");
        var own = tables.definition(KeyRows.name("t"));
        var expected = Optional.of(KeyRows.shape(own.orElseThrow(), Metadata.FULL));
        for (String other : List.of("u", "v", "w")) {
            var rows = KeyRows.shape(tables.definition(KeyRows.name(other)).orElseThrow(), Metadata.FULL);
            assertTrue(KeyPlan.of(1, tables.keys("t"), own, rows, expected).isAlone(), other);
        }
        assertFalse(tables.plan("t", Metadata.FULL).isAlone());
    }

    // ---- foreign keys

    @Test
    void aChildNeedsTheKeyOfItsParent() {
        tables.with("CREATE TABLE parents (id INT PRIMARY KEY, a INT, b VARCHAR(5) COLLATE utf8mb4_bin, UNIQUE (a, b))")
                .with("CREATE TABLE children (id INT PRIMARY KEY, y VARCHAR(9) COLLATE utf8mb4_bin, x INT, p INT,"
                        + " FOREIGN KEY (p) REFERENCES parents (id), FOREIGN KEY (y, x) REFERENCES parents (b, a))");
        List<Long> parent = tables.keys("parents", integer(7), integer(1), text("k"));
        List<Long> child = tables.keys("children", integer(9), text("k "), integer(1), integer(7));
        assertEquals(List.of(parent.get(0) ^ 3, parent.get(1) ^ 3), child.subList(1, 3));
        assertEquals(WriteSets.HAS_SHARED, parent.get(0) & WriteSets.FLAGS);
        assertEquals(WriteSets.SHARED, child.get(1) & WriteSets.FLAGS);
        assertEquals(
                2,
                tables.keys("children", integer(9), null, integer(1), integer(7))
                        .size());
    }

    @Test
    void aParentIsAloneIfItsChangesCanChangeChildrenOrItsKeyCannotBeHashed() {
        tables.with("CREATE TABLE p (id INT PRIMARY KEY, k INT, KEY (k))");
        for (String reference :
                List.of("(id) ON DELETE CASCADE", "(id) ON UPDATE SET NULL", "(k)", "(id) ON DELETE SET NULL")) {
            tables.with("CREATE TABLE c (id INT PRIMARY KEY, x INT, FOREIGN KEY (x) REFERENCES p " + reference + ")");
            assertEquals(TableKeys.Kind.ALONE, tables.keys("p").kind(), reference);
            assertEquals(1, tables.keys("c").keys().size(), reference);
        }
        tables.with("CREATE TABLE c (id INT PRIMARY KEY, x INT, FOREIGN KEY (x) REFERENCES p (id) ON DELETE RESTRICT)");
        assertEquals(TableKeys.Kind.BY_KEYS, tables.keys("p").kind());
        tables.with("CREATE TABLE self (id INT PRIMARY KEY, x INT, FOREIGN KEY (x) REFERENCES self (id))");
        assertEquals(
                List.of(HashedKey.Mode.CHANGED_OF_MANY, HashedKey.Mode.SHARED),
                tables.keys("self").keys().stream().map(HashedKey::mode).toList());
    }

    @Test
    void namesOfTablesAndColumnsAreComparedWithoutLetterCase() {
        tables.with("CREATE TABLE People (ID INT PRIMARY KEY)");
        assertEquals(
                tables.keys("People").keys().get(0).seed(),
                tables.keys("people").keys().get(0).seed());
    }
}
