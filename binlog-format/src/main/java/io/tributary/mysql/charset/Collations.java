package io.tributary.mysql.charset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The collations of MySQL 8.0.31 (information_schema.COLLATIONS and CHARACTER_SETS). It also accepts the names of older servers and of
 * MariaDB: {@code utf8} is {@code utf8mb3}.
 */
public final class Collations {
    private static final Map<Integer, Collation> BY_ID;
    private static final Map<String, Collation> BY_NAME;
    private static final Map<String, Collation> DEFAULTS;

    private static final Charset LATIN1 = Charset.forName("windows-1252");

    static {
        Map<Integer, Collation> ids = new HashMap<>();
        Map<String, Collation> names = new HashMap<>();
        Map<String, Collation> defaults = new HashMap<>();
        for (String line : lines()) {
            String[] words = line.split(" ");
            Collation collation = new Collation(
                    Integer.parseInt(words[0]),
                    words[1],
                    words[2],
                    words[3].equals("default"),
                    Integer.parseInt(words[4]));
            ids.put(collation.id(), collation);
            names.put(collation.name(), collation);
            if (collation.isDefault()) {
                defaults.put(collation.charset(), collation);
            }
        }
        BY_ID = Map.copyOf(ids);
        BY_NAME = Map.copyOf(names);
        DEFAULTS = Map.copyOf(defaults);
    }

    private Collations() {}

    private static String[] lines() {
        try (InputStream table = Collations.class.getResourceAsStream("collations.txt")) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII).split("\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Optional<Collation> of(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    /** The collation of a name, case-insensitive. */
    public static Optional<Collation> named(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        return Optional.ofNullable(BY_NAME.get(small.startsWith("utf8_") ? "utf8mb3" + small.substring(4) : small));
    }

    /** MySQL 8.0's default collation of a character set, whose name is case-insensitive. */
    public static Optional<Collation> ofCharset(String charset) {
        String small = charset.toLowerCase(Locale.ROOT);
        return Optional.ofNullable(DEFAULTS.get(small.equals("utf8") ? "utf8mb3" : small));
    }

    /** Java's charset for a character set of MySQL; empty for binary and if no charset of the JDK decodes it as MySQL does. */
    public static Optional<Charset> charset(String charset) {
        return switch (charset) {
            case "utf8mb4", "utf8mb3" -> Optional.of(StandardCharsets.UTF_8);
            case "ascii" -> Optional.of(StandardCharsets.US_ASCII);
            case "latin1" -> Optional.of(LATIN1);
            case "ucs2", "utf16" -> Optional.of(StandardCharsets.UTF_16BE);
            case "utf16le" -> Optional.of(StandardCharsets.UTF_16LE);
            case "utf32" -> supported("UTF-32BE");
            default -> javaName(charset).flatMap(Collations::supported);
        };
    }

    private static Optional<String> javaName(String charset) {
        return Optional.ofNullable(
                switch (charset) {
                    case "latin2" -> "ISO-8859-2";
                    case "latin5" -> "ISO-8859-9";
                    case "latin7" -> "ISO-8859-13";
                    case "greek" -> "ISO-8859-7";
                    case "hebrew" -> "ISO-8859-8";
                    case "cp1250" -> "windows-1250";
                    case "cp1251" -> "windows-1251";
                    case "cp1256" -> "windows-1256";
                    case "cp1257" -> "windows-1257";
                    case "cp850" -> "IBM850";
                    case "cp852" -> "IBM852";
                    case "cp866" -> "IBM866";
                    case "koi8r" -> "KOI8-R";
                    case "koi8u" -> "KOI8-U";
                    case "tis620" -> "TIS-620";
                    case "gbk" -> "GBK";
                    case "gb2312" -> "GB2312";
                    case "gb18030" -> "GB18030";
                    case "big5" -> "Big5";
                    case "sjis" -> "Shift_JIS";
                    case "cp932" -> "windows-31j";
                    case "ujis", "eucjpms" -> "EUC-JP";
                    case "euckr" -> "EUC-KR";
                    default -> null;
                });
    }

    private static Optional<Charset> supported(String name) {
        return Charset.isSupported(name) ? Optional.of(Charset.forName(name)) : Optional.empty();
    }
}
