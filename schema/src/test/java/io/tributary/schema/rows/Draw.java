package io.tributary.schema.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws values for columns, as SQL literals: edges and random ones. */
public final class Draw {
    private static final String[] EDGES = {
        "0",
        "1",
        "-1",
        "127",
        "128",
        "-128",
        "-129",
        "255",
        "256",
        "32767",
        "32768",
        "-32768",
        "-32769",
        "65535",
        "65536",
        "8388607",
        "8388608",
        "-8388608",
        "-8388609",
        "16777215",
        "16777216",
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "4294967295",
        "4294967296",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709550592",
        "99",
        "100",
        "999",
        "1000"
    };

    private final Random random;

    public Draw(Random random) {
        this.random = random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean often(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T of(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** At most this many items of a list, in any order. */
    public <T> List<T> some(List<T> list, int count) {
        List<T> shuffled = new ArrayList<>(list);
        java.util.Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(count, shuffled.size()));
    }

    /** Values for a column of this definition, including a NULL. */
    public List<String> values(String definition, int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(definition));
        }
        if (!definition.contains("NOT NULL")) {
            values.add("NULL");
        }
        return values;
    }

    /** One value that may be too large or long for the column; INSERT IGNORE adjusts it. */
    String value(String definition) {
        String type = definition.toLowerCase(java.util.Locale.ROOT);
        if (type.contains("int")) {
            return integer();
        }
        if (type.startsWith("decimal")) {
            return decimal();
        }
        if (type.startsWith("float") || type.startsWith("double")) {
            return often(10) ? "-0e0" : Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(30)));
        }
        if (type.startsWith("bit")) {
            return "b'" + Long.toBinaryString(random.nextLong() >>> random.nextInt(63)) + "'";
        }
        if (type.startsWith("datetime") || type.startsWith("timestamp")) {
            return "'" + (often(5) ? "0000-00-00 00:00:00" : date(type) + " " + clock(24)) + "'";
        }
        if (type.startsWith("date")) {
            return "'" + (often(5) ? "0000-00-00" : often(5) ? "2021-00-00" : date(type)) + "'";
        }
        if (type.startsWith("time")) {
            return "'" + (often(40) ? "-" : "") + clock(838) + "'";
        }
        if (type.startsWith("year")) {
            return Integer.toString(1901 + random.nextInt(255));
        }
        if (type.startsWith("enum") || type.startsWith("set")) {
            return Integer.toString(type.startsWith("enum") ? random.nextInt(5) : random.nextInt(16));
        }
        if (type.startsWith("json")) {
            return "'" + (often(50) ? "{\"a\": " + random.nextInt(1000) + "}" : "[1, \"x\", null]") + "'";
        }
        if (type.contains("binary") || type.contains("blob")) {
            return bytes();
        }
        return text(type);
    }

    private String integer() {
        return often(50) ? EDGES[random.nextInt(EDGES.length)] : Long.toString(random.nextLong() >> random.nextInt(64));
    }

    private String decimal() {
        StringBuilder text = new StringBuilder(often(40) ? "-" : "");
        text.append(digits(1 + random.nextInt(often(80) ? 6 : 40)));
        if (often(80)) {
            text.append('.').append(often(20) ? "00" : "").append(digits(1 + random.nextInt(often(80) ? 4 : 30)));
        }
        return text.toString();
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        boolean nines = often(20);
        for (int i = 0; i < count; i++) {
            digits.append(nines ? 9 : random.nextInt(10));
        }
        return digits.toString();
    }

    private String date(String type) {
        boolean stamp = type.startsWith("timestamp");
        return String.format(
                "%04d-%02d-%02d",
                stamp ? 1971 + random.nextInt(66) : 1 + random.nextInt(9999),
                1 + random.nextInt(12),
                1 + random.nextInt(28));
    }

    private String clock(int hours) {
        String fraction = String.format("%06d", random.nextInt(1_000_000));
        int digits = random.nextInt(7);
        String shown = fraction.substring(0, digits) + "000000".substring(digits);
        return String.format("%02d:%02d:%02d.%s", random.nextInt(hours), random.nextInt(60), random.nextInt(60), shown);
    }

    private String bytes() {
        int length = length();
        StringBuilder hex = new StringBuilder("x'");
        for (int i = 0; i < length; i++) {
            hex.append(String.format("%02x", random.nextInt(256)));
        }
        return hex.append("0000".repeat(often(30) ? 1 + random.nextInt(2) : 0))
                .append("'")
                .toString();
    }

    private int length() {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1, 2, 3, 4, 5 -> random.nextInt(12);
            case 6, 7, 8 -> random.nextInt(60);
            default -> 200 + random.nextInt(120);
        };
    }

    private String text(String type) {
        List<String> alphabet = alphabet(type);
        int length = length();
        StringBuilder text = new StringBuilder("'");
        for (int i = 0; i < length; i++) {
            text.append(of(alphabet));
        }
        return text.append(" ".repeat(often(30) ? 1 + random.nextInt(4) : 0))
                .append("'")
                .toString();
    }

    private List<String> alphabet(String type) {
        if (type.contains("ascii")) {
            return List.of("a", "B", "0", " ", "~");
        }
        if (type.contains("latin1")) {
            return List.of("a", "B", "\u00e4", "\u20ac", "\u0153", " ", "\u00ff", "\u0081", "\u008d", "\u009d");
        }
        if (type.contains("gbk") || type.contains("big5") || type.contains("gb18030")) {
            return List.of("a", "\u4e2d", "\u6587", " ", "7", "\u4e00");
        }
        if (type.contains("sjis") || type.contains("cp932") || type.contains("ujis")) {
            return List.of("a", "\u65e5", "\u672c", "\uff71", "\u3042", " ");
        }
        if (type.contains("euckr")) {
            return List.of("a", "\ud55c", "\uae00", " ");
        }
        if (type.contains("utf8mb3") || type.contains("ucs2")) {
            return List.of("a", "Z", "\u00e4", "\u4e2d", "\u20ac", " ", "1");
        }
        return List.of("a", "Z", "\u00e4", "\u4e2d", "\u20ac", " ", "1", "\ud83d\ude00");
    }
}
