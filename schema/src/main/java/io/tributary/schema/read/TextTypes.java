package io.tributary.schema.read;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.SqlType;
import java.util.Map;

/** The lengths of the TEXT and BLOB types. */
final class TextTypes {
    private static final long TINY = 0xFF;
    private static final long SHORT = 0xFFFF;
    private static final long MEDIUM = 0xFF_FFFF;
    private static final Map<String, Long> BYTES =
            Map.of("tinytext", TINY, "text", SHORT, "mediumtext", MEDIUM, "longtext", 0xFFFF_FFFFL);

    private TextTypes() {}

    /** The shortest type with room for this number of bytes. */
    static String ofBytes(long bytes, String family) {
        String size = bytes <= TINY ? "tiny" : bytes <= SHORT ? "" : bytes <= MEDIUM ? "medium" : "long";
        return size + family;
    }

    /** The type with room for the same number of characters in another collation; other types than text are not changed. */
    static SqlType converted(SqlType type, String collation) {
        if (!type.isCharacter() || type.collation().equals("binary")) {
            return type;
        }
        if (type.hasValues()) {
            return type.withValues(ValueTexts.converted(type.values(), type.collation(), collation))
                    .withCollation(collation);
        }
        if (collation.equals("binary")) {
            String name = type.name().replace("text", "blob").replace("char", "binary");
            return SqlType.of(name, type.length(), 0);
        }
        int before = length(type.collation());
        int after = length(collation);
        if (type.isText() && before != after) {
            long bytes = BYTES.get(type.name()) / before * after;
            return SqlType.of(ofBytes(bytes, "text")).withCollation(collation);
        }
        if (type.name().equals("varchar") && (long) type.length() * after > SHORT) {
            return SqlType.of(ofBytes((long) type.length() * after, "text")).withCollation(collation);
        }
        return type.withCollation(collation);
    }

    private static int length(String collation) {
        return Collations.named(collation)
                .map(Collation::maxLength)
                .orElseThrow(() -> new UnreadableStatementException(collation));
    }
}
