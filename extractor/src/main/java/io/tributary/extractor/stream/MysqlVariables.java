package io.tributary.extractor.stream;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import java.nio.ByteBuffer;

/**
 * The status variables of a QUERY event with logical names, in MySQL's form: without the list of physical schemas, without the variables that
 * only MariaDB has, and with its session flags, SQL modes and collations reduced to those of MySQL (sql/log_event.h and sql/sql_class.h of
 * both). explicit_defaults_for_timestamp, a session flag of MariaDB, is written as the variable that MySQL has for it.
 */
public final class MysqlVariables {
    /** NO_ZERO_IN_DATE and NO_ZERO_DATE. */
    private static final long NO_ZERO_DATES = 0x180_0000;

    private static final int FIRST_OF_MARIADB = StatusVariables.Q_HRNOW;
    private static final int LAST_OF_MARIADB = StatusVariables.Q_CHARACTER_SET_COLLATIONS;
    private static final int OPTION_NO_FOREIGN_KEY_CHECKS = 1 << 26;
    /** MariaDB's flag of explicit_defaults_for_timestamp. */
    private static final int OPTION_EXPLICIT_DEF_TIMESTAMP = 1 << 24;

    private static final int EXPLICIT_LENGTH = 2;
    /** OPTION_AUTO_IS_NULL, OPTION_NOT_AUTOCOMMIT, OPTION_NO_FOREIGN_KEY_CHECKS, OPTION_RELAXED_UNIQUE_CHECKS. */
    private static final int FLAGS_OF_BOTH = 1 << 14 | 1 << 19 | OPTION_NO_FOREIGN_KEY_CHECKS | 1 << 27;
    /** The SQL modes below MySQL's TIME_TRUNCATE_FRACTIONAL and MariaDB's EMPTY_STRING_IS_NULL, from which on the two differ. */
    private static final long MODES_OF_BOTH = 0xffff_ffffL;

    private static final int UTF8MB3_GENERAL_CI = 33;
    private static final int UCS2_GENERAL_CI = 35;
    private static final int UTF8MB4_GENERAL_CI = 45;
    private static final int UTF16_GENERAL_CI = 54;
    private static final int UTF32_GENERAL_CI = 60;

    private MysqlVariables() {}

    /** The status variables of a checked event of MySQL or MariaDB. */
    static byte[] of(ByteBuffer view, int at, boolean isMariadb) {
        int end = QueryEvent.variablesEnd(view, at);
        ByteBuffer kept = ByteBuffer.allocate(end - QueryEvent.variablesAt(at) + EXPLICIT_LENGTH);
        for (int v = QueryEvent.variablesAt(at); v < end; v = StatusVariables.next(view, v, end)) {
            int code = StatusVariables.code(view, v);
            boolean isUnknown = isMariadb && code >= FIRST_OF_MARIADB && code <= LAST_OF_MARIADB;
            if (code == StatusVariables.Q_UPDATED_DB_NAMES || isUnknown) {
                continue;
            }
            int to = kept.position();
            int length = StatusVariables.next(view, v, end) - v;
            kept.put(to, view, v, length).position(to + length);
            if (isMariadb) {
                translate(kept, code, to + 1);
            }
        }
        if (isMariadb) {
            putExplicitDefaults(kept, QueryEvent.variable(view, at, StatusVariables.Q_FLAGS2_CODE), view);
        }
        byte[] bytes = new byte[kept.position()];
        kept.get(0, bytes);
        return bytes;
    }

    /** Written after the others: MariaDB stops reading at a variable that it does not know. */
    private static void putExplicitDefaults(ByteBuffer kept, int flags, ByteBuffer view) {
        if (flags >= 0) {
            boolean isExplicit = (LittleEndian.getInt(view, flags) & OPTION_EXPLICIT_DEF_TIMESTAMP) != 0;
            kept.put((byte) StatusVariables.Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP).put((byte) (isExplicit ? 1 : 0));
        }
    }

    /** A copy with OPTION_NO_FOREIGN_KEY_CHECKS in the session flags. */
    static byte[] withoutForeignKeyChecks(byte[] variables) {
        ByteBuffer view = ByteBuffer.wrap(variables);
        int flags = StatusVariables.find(view, 0, variables.length, StatusVariables.Q_FLAGS2_CODE);
        if (flags < 0) {
            ByteBuffer longer = ByteBuffer.allocate(variables.length + 1 + Integer.BYTES);
            LittleEndian.putU8(longer, 0, StatusVariables.Q_FLAGS2_CODE);
            LittleEndian.putInt(longer, 1, OPTION_NO_FOREIGN_KEY_CHECKS);
            longer.put(1 + Integer.BYTES, variables);
            return longer.array();
        }
        byte[] changed = variables.clone();
        LittleEndian.putInt(
                ByteBuffer.wrap(changed), flags, LittleEndian.getInt(view, flags) | OPTION_NO_FOREIGN_KEY_CHECKS);
        return changed;
    }

    /** A copy for a session that accepts the date 0000-00-00. */
    static byte[] withZeroDates(byte[] variables) {
        byte[] changed = variables.clone();
        ByteBuffer view = ByteBuffer.wrap(changed);
        int mode = StatusVariables.find(view, 0, changed.length, StatusVariables.Q_SQL_MODE_CODE);
        if (mode >= 0) {
            LittleEndian.putLong(view, mode, LittleEndian.getLong(view, mode) & ~NO_ZERO_DATES);
        }
        return changed;
    }

    private static void translate(ByteBuffer buf, int code, int value) {
        switch (code) {
            case StatusVariables.Q_FLAGS2_CODE ->
                LittleEndian.putInt(buf, value, LittleEndian.getInt(buf, value) & FLAGS_OF_BOTH);
            case StatusVariables.Q_SQL_MODE_CODE ->
                LittleEndian.putLong(buf, value, LittleEndian.getLong(buf, value) & MODES_OF_BOTH);
            case StatusVariables.Q_CHARSET_CODE -> {
                for (int i = 0; i < 6; i += 2) {
                    translateCollation(buf, value + i);
                }
            }
            case StatusVariables.Q_CHARSET_DATABASE_CODE -> translateCollation(buf, value);
            default -> {}
        }
    }

    private static void translateCollation(ByteBuffer buf, int value) {
        LittleEndian.putU16(buf, value, collation(LittleEndian.getU16(buf, value)));
    }

    /** MySQL's collation id for one of MariaDB: the same, or, if MySQL does not have it, the nearest of the same character set. */
    public static int collation(int id) {
        if (id <= 323) {
            return id;
        }
        if (id < 1024) { // Croatian, Myanmar and Thai ones: 32 ids for each of utf8mb3, utf8mb4, ucs2, utf16, utf16le,
            // utf32
            return general((id - 576) / 32);
        }
        return id < 2048 ? id - 1024 /* NO PAD */ : general((id - 2048) / 256 /* UCA 14.0.0 */);
    }

    private static int general(int characterSet) {
        return switch (characterSet) {
            case 0 -> UTF8MB3_GENERAL_CI;
            case 2 -> UCS2_GENERAL_CI;
            case 3 -> UTF16_GENERAL_CI;
            case 4, 5 -> UTF32_GENERAL_CI;
            default -> UTF8MB4_GENERAL_CI;
        };
    }
}
