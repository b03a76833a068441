package io.tributary.testkit.workload;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A column type in the syntax of CREATE TABLE, with random values as SQL literals.
 *
 * @param type with length, character set and other attributes
 * @param literal creates a value of the type; the caller adds NULL values
 */
record ColumnKind(String type, Function<Random, String> literal) {
    private static final List<String> CHARSETS =
            List.of("utf8mb4", "latin1", "gbk", "utf16", "utf32", "ucs2", "sjis", "ascii", "cp1251", "utf8mb3");
    private static final List<String> LETTERS =
            List.of("aZ😀é中", "aZäöüß", "aZ中文字", "aZ😀ж", "aZ😀中", "aZж中", "aZ日本語", "aZ09~", "aZжщЮ", "aZéж中");
    private static final int ENUM_MEMBERS = 300;

    /** A random kind of all types of MySQL 8.0. */
    static ColumnKind draw(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> integer("TINYINT", 8, random.nextBoolean());
            case 1 -> integer("SMALLINT", 16, random.nextBoolean());
            case 2 -> integer("MEDIUMINT", 24, random.nextBoolean());
            case 3 -> integer("INT", 32, random.nextBoolean());
            case 4 -> integer("BIGINT", 63, random.nextBoolean());
            case 5 -> decimal(1 + random.nextInt(65), random.nextInt(31));
            case 6 -> new ColumnKind("FLOAT", r -> Float.toString((float) (r.nextGaussian() * 1e10)));
            case 7 -> new ColumnKind("DOUBLE", r -> Double.toString(r.nextGaussian() * 1e100));
            case 8 -> bit(1 + random.nextInt(64));
            case 9 -> new ColumnKind("DATE", r -> quoted(date(r)));
            case 10 -> fractional("TIME", random.nextInt(7), ColumnKind::time);
            case 11 -> fractional("DATETIME", random.nextInt(7), r -> date(r) + " " + clock(r));
            case 12 ->
                fractional(
                        "TIMESTAMP",
                        random.nextInt(7),
                        r -> "20" + two(r.nextInt(37)) + "-0" + (1 + r.nextInt(9)) + "-1" + r.nextInt(10) + " 12:"
                                + two(r.nextInt(60)) + ":" + two(r.nextInt(60)));
            case 13 -> new ColumnKind("YEAR", r -> Integer.toString(1901 + r.nextInt(255)));
            case 14 -> text(random, List.of("CHAR(10)", "CHAR(60)", "VARCHAR(20)", "VARCHAR(300)"), 10);
            case 15 -> text(random, List.of("TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT"), 40);
            case 16 -> bytes(random);
            case 17 -> random.nextBoolean() ? enumeration() : set();
            case 18 -> new ColumnKind("JSON", r -> quoted(json(r, 3)));
            default ->
                new ColumnKind("POINT", r -> "ST_GeomFromText('POINT(" + r.nextInt(100) + " " + r.nextInt(100) + ")')");
        };
    }

    static ColumnKind json() {
        return new ColumnKind("JSON", r -> quoted(json(r, 3)));
    }

    private static ColumnKind integer(String name, int bits, boolean unsigned) {
        long most = bits == 63 ? Long.MAX_VALUE : (1L << (unsigned ? bits : bits - 1)) - 1;
        long least = unsigned ? 0 : -most - 1;
        String bare = unsigned && bits == 63 ? "18446744073709551615" : Long.toString(most);
        return new ColumnKind(name + (unsigned ? " UNSIGNED" : ""), r -> switch (r.nextInt(8)) {
            case 0 -> bare;
            case 1 -> Long.toString(least);
            default -> Long.toString(unsigned ? r.nextLong() & most : r.nextLong() % most);
        });
    }

    private static ColumnKind decimal(int precision, int wanted) {
        int scale = Math.min(wanted, precision);
        return new ColumnKind("DECIMAL(" + precision + "," + scale + ")", r -> {
            String digits = IntStream.range(0, precision)
                    .mapToObj(i -> Integer.toString(r.nextInt(10)))
                    .collect(Collectors.joining());
            String sign = r.nextBoolean() ? "-" : "";
            return sign + "0" + digits.substring(0, precision - scale) + "." + digits.substring(precision - scale)
                    + "0";
        });
    }

    private static ColumnKind bit(int width) {
        return new ColumnKind(
                "BIT(" + width + ")",
                r -> IntStream.range(0, width)
                        .mapToObj(i -> Integer.toString(r.nextInt(2)))
                        .collect(Collectors.joining("", "b'", "'")));
    }

    private static ColumnKind fractional(String name, int digits, Function<Random, String> whole) {
        String type = digits == 0 ? name : name + "(" + digits + ")";
        return new ColumnKind(name.equals("TIMESTAMP") ? type + " NULL" : type, r -> {
            String fraction = digits == 0
                    ? ""
                    : "." + Integer.toString(1_000_000 + r.nextInt(1_000_000)).substring(1, digits + 1);
            return quoted(whole.apply(r) + fraction);
        });
    }

    private static ColumnKind text(Random random, List<String> types, int most) {
        int charset = random.nextInt(CHARSETS.size());
        int[] letters = LETTERS.get(charset).codePoints().toArray();
        String type = types.get(random.nextInt(types.size())) + " CHARACTER SET " + CHARSETS.get(charset);
        return new ColumnKind(type, r -> {
            StringBuilder value = new StringBuilder();
            int length = r.nextInt(most + 1);
            for (int i = 0; i < length; i++) {
                value.appendCodePoint(letters[r.nextInt(letters.length)]);
            }
            return "_utf8mb4 X'" + HexFormat.of().formatHex(value.toString().getBytes(StandardCharsets.UTF_8)) + "'";
        });
    }

    private static ColumnKind bytes(Random random) {
        List<String> types = List.of("BINARY(20)", "VARBINARY(20)", "VARBINARY(300)", "TINYBLOB", "BLOB", "LONGBLOB");
        return new ColumnKind(types.get(random.nextInt(types.size())), r -> {
            byte[] value = new byte[r.nextInt(21)];
            r.nextBytes(value);
            return "X'" + HexFormat.of().formatHex(value) + "'";
        });
    }

    /** With more than 255 members, a value has two bytes in a row. */
    private static ColumnKind enumeration() {
        String members =
                IntStream.range(0, ENUM_MEMBERS).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
        return new ColumnKind("ENUM(" + members + ")", r -> "'m" + r.nextInt(ENUM_MEMBERS) + "'");
    }

    private static ColumnKind set() {
        String members = IntStream.range(0, 20).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
        return new ColumnKind("SET(" + members + ")", r -> Integer.toString(r.nextInt(1 << 20)));
    }

    private static String json(Random r, int depth) {
        return switch (r.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> "null";
            case 1 -> Boolean.toString(r.nextBoolean());
            case 2 -> Long.toString(r.nextLong());
            case 3 -> Double.toString(r.nextGaussian());
            case 4 -> "\"s" + "x".repeat(r.nextInt(200)) + "\"";
            case 5 ->
                IntStream.range(0, r.nextInt(5))
                        .mapToObj(i -> json(r, depth - 1))
                        .collect(Collectors.joining(",", "[", "]"));
            default ->
                IntStream.range(0, r.nextInt(5))
                        .mapToObj(i -> "\"k" + i + "\":" + json(r, depth - 1))
                        .collect(Collectors.joining(",", "{", "}"));
        };
    }

    private static String date(Random r) {
        return (1000 + r.nextInt(9000)) + "-" + two(1 + r.nextInt(12)) + "-" + two(1 + r.nextInt(28));
    }

    private static String clock(Random r) {
        return two(r.nextInt(24)) + ":" + two(r.nextInt(60)) + ":" + two(r.nextInt(60));
    }

    private static String time(Random r) {
        return (r.nextBoolean() ? "-" : "") + r.nextInt(838) + ":" + two(r.nextInt(60)) + ":" + two(r.nextInt(60));
    }

    private static String two(int value) {
        return value < 10 ? "0" + value : Integer.toString(value);
    }

    private static String quoted(String text) {
        return "'" + text + "'";
    }
}
