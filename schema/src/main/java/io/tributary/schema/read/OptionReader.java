package io.tributary.schema.read;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import java.util.Locale;
import java.util.Set;

/** Skips the options of a table, and keeps its character set and collation. */
final class OptionReader {
    private static final Set<String> WITH_VALUE = Set.of(
            "ENGINE",
            "TYPE",
            "AUTO_INCREMENT",
            "COMMENT",
            "ROW_FORMAT",
            "KEY_BLOCK_SIZE",
            "ENCRYPTION",
            "COMPRESSION",
            "STATS_AUTO_RECALC",
            "STATS_PERSISTENT",
            "STATS_SAMPLE_PAGES",
            "AUTOEXTEND_SIZE",
            "MAX_ROWS",
            "MIN_ROWS",
            "AVG_ROW_LENGTH",
            "PACK_KEYS",
            "DELAY_KEY_WRITE",
            "CHECKSUM",
            "TABLE_CHECKSUM",
            "CONNECTION",
            "ENGINE_ATTRIBUTE",
            "INSERT_METHOD",
            "PASSWORD",
            "SECONDARY_ENGINE",
            "SECONDARY_ENGINE_ATTRIBUTE",
            "UNION",
            "PAGE_CHECKSUM",
            "PAGE_COMPRESSED",
            "PAGE_COMPRESSION_LEVEL",
            "TRANSACTIONAL",
            "ENCRYPTED",
            "ENCRYPTION_KEY_ID",
            "IETF_QUOTES",
            "SEQUENCE",
            "STORAGE");

    private final Cursor cursor;
    private final ReadSession session;
    private String charset = "";
    private String collation = "";
    private boolean startsTransaction;

    OptionReader(Cursor cursor, ReadSession session) {
        this.cursor = cursor;
        this.session = session;
    }

    /** The default collation in the options; "" if there is none. */
    String collation() {
        return collation.isEmpty() && !charset.isEmpty() ? RawType.defaultCollation(charset, session) : collation;
    }

    /** START TRANSACTION: the rows of CREATE TABLE ... SELECT follow as events. */
    boolean startsTransaction() {
        return startsTransaction;
    }

    /** Reads the option here; returns whether there was one. */
    boolean accept() {
        int before = cursor.at();
        cursor.accept("DEFAULT");
        switch (cursor.word()) {
            case "CHARSET" -> charset(1);
            case "CHARACTER", "CHAR" -> charset(2);
            case "COLLATE" -> {
                cursor.skip();
                cursor.acceptEquals();
                collation = known(cursor.next().value());
            }
            case "DATA", "INDEX" -> {
                cursor.skip();
                cursor.require("DIRECTORY");
                value();
            }
            case "TABLESPACE" -> {
                cursor.skip();
                value();
            }
            case "START" -> {
                cursor.skip();
                cursor.require("TRANSACTION");
                startsTransaction = true;
            }
            default -> {
                if (!cursor.isWordOf(WITH_VALUE)) {
                    cursor.goTo(before);
                    return false;
                }
                cursor.skip();
                value();
            }
        }
        return true;
    }

    private void value() {
        cursor.acceptEquals();
        if (cursor.isSign('(')) {
            cursor.skipParentheses();
        } else {
            cursor.next();
        }
    }

    private void charset(int words) {
        for (int i = 0; i < words; i++) {
            cursor.skip();
        }
        cursor.acceptEquals();
        String name = cursor.next().value();
        if (name.equalsIgnoreCase("DEFAULT")) {
            collation = session.schemaCollation();
            return;
        }
        charset = name;
        boolean other = Collations.named(collation)
                .map(Collation::charset)
                .filter(own -> !own.equals(
                        Collations.ofCharset(name).map(Collation::charset).orElse("")))
                .isPresent();
        collation = other ? "" : collation;
    }

    static String known(String collation) {
        return Collations.named(collation).map(Collation::name).orElse(collation.toLowerCase(Locale.ROOT));
    }
}
