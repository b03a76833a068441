package io.tributary.common.gtid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GtidSetTest {
    private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String B = "f0000000-0000-0000-0000-000000000001";
    private static final Sid SID_A = Sid.parse(A);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ''",
                "' ,, ' | ''",
                "A:1 | A:1",
                "A:1-5:7:6 | A:1-7",
                "A:5-3 | ''",
                "' A : 1 - 3 : 11 : 47-49 ' | A:1-3:11:47-49",
                "B:1,A:2,A:1 | 'A:1-2,\nB:1'",
                "A:1-3:Tag_1:5:7 | A:1-3:tag_1:5:7",
                "A:zz:1,A:aa:2-3,A:9 | A:9:aa:2-3:zz:1",
                "A:aa:2-3,B:aa:1 | 'A:aa:2-3,\nB:aa:1'",
                "A:9223372036854775806 | A:9223372036854775806",
            })
    void readsMysqlsTextAndWritesItCanonically(String text, String canonical) {
        GtidSet set = GtidSet.parse(named(text).toUpperCase(java.util.Locale.ROOT));
        assertEquals(named(canonical), set.toString());
        assertEquals(set, GtidSet.parse(set.toString()));
        assertEquals(set, GtidSet.decode(set.encode()));
        assertEquals(named(canonical).replace("\n", ""), set.line());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "A",
                "A:",
                "A:0",
                "A:1-",
                "A:1:",
                "A:1x",
                "A:9223372036854775807",
                "A:tag",
                "A:1tag:5",
                "A:1;B:1",
                "A:abcdefghijklmnopqrstuvwxyzabcdefg:1",
                "3e11fa4771ca11e19e33c80aa9429562:1"
            })
    void refusesTextThatIsNoGtidSet(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> GtidSet.parse(named(text)))
                .getMessage();
        assertTrue(message.contains("expected") && message.contains("found"), message);
    }

    @Test
    void encodesTheUntaggedFormThatEveryVersionReads() {
        GtidSet set = GtidSet.parse(A + ":1-5:9");
        assertEquals(
                "0100000000000000" + A.replace("-", "") + "0200000000000000" + "0100000000000000" + "0600000000000000"
                        + "0900000000000000" + "0a00000000000000",
                HexFormat.of().formatHex(set.encode()));
    }

    @Test
    void encodesTheTaggedFormOnlyWhereThereAreTags() {
        GtidSet set = GtidSet.parse(A + ":1:ab:2");
        assertEquals(
                "0102000000000001" + A.replace("-", "") + "00" + "0100000000000000" + "0100000000000000"
                        + "0200000000000000" + A.replace("-", "") + "046162" + "0100000000000000" + "0200000000000000"
                        + "0300000000000000",
                HexFormat.of().formatHex(set.encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A:1-5:9,B:3", "A:1-5:tag:9-10,B:3"})
    void refusesBytesThatAreCutAnywhere(String text) {
        byte[] whole = GtidSet.parse(named(text)).encode();
        for (int length = 0; length < whole.length; length++) {
            int cut = length;
            ByteBuffer view = ByteBuffer.wrap(whole);
            String message = assertThrows(IllegalArgumentException.class, () -> GtidSet.decode(view, 0, cut))
                    .getMessage();
            assertTrue(message.contains("expected") && message.contains("found"), message);
        }
    }

    @Test
    void refusesBytesAfterTheSet() {
        byte[] longer = java.util.Arrays.copyOf(GtidSet.parse(A + ":1").encode(), 49);
        assertThrows(IllegalArgumentException.class, () -> GtidSet.decode(longer));
    }

    @Test
    void refusesAnAbsurdNumberOfIntervals() {
        byte[] bytes = GtidSet.parse(A + ":1").encode();
        bytes[31] = 0x7f;
        assertThrows(IllegalArgumentException.class, () -> GtidSet.decode(bytes));
    }

    @Test
    void ordersSourcesByTheBytesOfTheUuid() {
        assertTrue(Sid.parse(A).compareTo(Sid.parse(B)) < 0);
        assertTrue(new Sid(UUID.fromString(A), "a").compareTo(new Sid(UUID.fromString(A))) > 0);
    }

    @Test
    void takesSnapshotsThatLaterAddsDoNotChange() {
        GtidSet.Builder builder = new GtidSet.Builder();
        GtidSet first = builder.add(SID_A, 1).add(SID_A, 2).build();
        GtidSet second = builder.add(SID_A, 3).add(SID_A, 9).build();
        builder.add(SID_A, 8);
        assertEquals(A + ":1-2", first.toString());
        assertEquals(A + ":1-3:9", second.toString());
        assertEquals(A + ":1-3:8-9", builder.build().toString());
        assertSame(builder.build(), builder.add(SID_A, 2).build());
    }

    @Test
    void knowsTheLastNumberOfASource() {
        assertEquals(9, GtidSet.parse(A + ":1-3:9").last(SID_A));
        assertEquals(0, GtidSet.EMPTY.last(SID_A));
    }

    @Test
    void countsWithoutOverflow() {
        GtidSet all = new GtidSet.Builder()
                .addRange(SID_A, 1, Gtid.MAX_GNO)
                .addRange(Sid.parse(B), 1, Gtid.MAX_GNO)
                .build();
        assertEquals(Long.MAX_VALUE, all.count());
        assertFalse(all.isEmpty());
    }

    @Test
    void readsSingleGtids() {
        assertEquals(new Gtid(new Sid(UUID.fromString(A), "tag"), 7), Gtid.parse(A + ":TAG:7"));
        assertEquals(A + ":7", Gtid.parse(" " + A + ":7 ").toString());
        assertThrows(IllegalArgumentException.class, () -> Gtid.parse(A + ":1-2"));
        assertThrows(IllegalArgumentException.class, () -> Sid.parse(A + ":1"));
    }

    private static String named(String text) {
        return text.replaceAll("A(?=:| |$)", A).replaceAll("B(?=:| |$)", B);
    }

    /** Adding them one by one in this order would move all intervals each time. */
    @Test
    @Timeout(30)
    void aLongSetInTheWorstOrderTakesNoLongerThanInAnyOther() {
        int intervals = 300_000;
        StringBuilder descending = new StringBuilder(A);
        for (int i = intervals; i > 0; i--) {
            descending.append(':').append(2 * i);
        }
        GtidSet set = GtidSet.parse(descending.toString());
        assertEquals(intervals, set.count());
        assertEquals(set, GtidSet.parse(set.toString()));

        ByteBuffer repeated = ByteBuffer.allocate(8 + 40 * intervals).order(ByteOrder.LITTLE_ENDIAN);
        repeated.putLong(intervals);
        for (int i = intervals; i > 0; i--) {
            UUID uuid = SID_A.uuid();
            repeated.putLong(Long.reverseBytes(uuid.getMostSignificantBits()));
            repeated.putLong(Long.reverseBytes(uuid.getLeastSignificantBits()));
            repeated.putLong(1).putLong(2L * i).putLong(2L * i + 1);
        }
        assertEquals(set, GtidSet.decode(repeated.array()));
    }

    @Test
    @Timeout(30)
    void setsOfManySourcesAreComparedInTime() {
        GtidSet.Builder builder = new GtidSet.Builder();
        for (int i = 0; i < 200_000; i++) {
            builder.add(new Sid(new UUID(i, -i)), 5);
        }
        GtidSet set = builder.build();
        GtidSet more = set.plus(SID_A, 3);
        assertTrue(more.containsAll(set));
        assertFalse(set.containsAll(more));
        assertEquals(A + ":3", more.minus(set).toString());
        assertEquals(set, more.intersect(set));
    }
}
