package io.tributary.mysql.event;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The status variables of a query event: each is a code and a value whose length follows from the code (Query_event::Query_event_post_header
 * in libbinlogevents/include/statement_events.h). Iterate with {@code for (v = begin; v < end; v = next(view, v, end))}; the value is at
 * {@code v + 1}.
 */
public final class StatusVariables {
    /** Session flags, u32: {@code OPTION_NO_FOREIGN_KEY_CHECKS} and others. */
    public static final int Q_FLAGS2_CODE = 0;
    /** SQL mode, u64. */
    public static final int Q_SQL_MODE_CODE = 1;
    /** Catalog as 5.0.0 to 5.0.3 wrote it: length, text, zero. */
    public static final int Q_CATALOG_CODE = 2;
    /** auto_increment_increment u16, auto_increment_offset u16. */
    public static final int Q_AUTO_INCREMENT = 3;
    /** character_set_client u16, collation_connection u16, collation_server u16. */
    public static final int Q_CHARSET_CODE = 4;
    /** Time zone: length, text. */
    public static final int Q_TIME_ZONE_CODE = 5;
    /** Catalog: length, text. */
    public static final int Q_CATALOG_NZ_CODE = 6;
    /** lc_time_names u16. */
    public static final int Q_LC_TIME_NAMES_CODE = 7;
    /** collation_database u16. */
    public static final int Q_CHARSET_DATABASE_CODE = 8;
    /** Bitmap of tables of a multi-table update, u64. */
    public static final int Q_TABLE_MAP_FOR_UPDATE_CODE = 9;
    /** Length of the event on the source, u32. */
    public static final int Q_MASTER_DATA_WRITTEN_CODE = 10;
    /** The definer: length, user, length, host. */
    public static final int Q_INVOKER = 11;
    /** Changed schemas: count u8 (254: too many, no names follow), names with a zero after each. */
    public static final int Q_UPDATED_DB_NAMES = 12;
    /** µs part of the statement's time, u24. */
    public static final int Q_MICROSECONDS = 13;
    /** Not used any more, u64. */
    public static final int Q_COMMIT_TS = 14;
    /** Not used any more, u64. */
    public static final int Q_COMMIT_TS2 = 15;
    /** explicit_defaults_for_timestamp u8. */
    public static final int Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP = 16;
    /** Xid of an atomic DDL, u64. */
    public static final int Q_DDL_LOGGED_WITH_XID = 17;
    /** default_collation_for_utf8mb4 u16. */
    public static final int Q_DEFAULT_COLLATION_FOR_UTF8MB4 = 18;
    /** sql_require_primary_key u8. */
    public static final int Q_SQL_REQUIRE_PRIMARY_KEY = 19;
    /** default_table_encryption u8. */
    public static final int Q_DEFAULT_TABLE_ENCRYPTION = 20;
    /** PolarDB-X: commit timestamp u64, on XA COMMIT. */
    public static final int Q_LIZARD_COMMIT_GCN = 200;
    /** PolarDB-X: prepare timestamp u64, on XA END. */
    public static final int Q_LIZARD_PREPARE_GCN = 201;

    /** MariaDB: µs part of the statement's time, u24. */
    public static final int Q_HRNOW = 128;
    /** MariaDB: Xid of a DDL, u64. */
    public static final int Q_XID = 129;
    /** MariaDB: the additional flags of its GTID u8; with bit 2 or 3 the sequence u64 of the ALTER that it ends. */
    public static final int Q_GTID_FLAGS3 = 130;
    /** MariaDB 11: count u8 of pairs of character set u16 and default collation u16. */
    public static final int Q_CHARACTER_SET_COLLATIONS = 131;

    private static final int ENDS_ALTER = 4 | 8;
    private static final int UNKNOWN = -1;
    private static final int OVER_MAX_DBS_IN_EVENT_MTS = 254;

    private StatusVariables() {}

    /** The code of the variable at {@code variable}. */
    public static int code(ByteBuffer view, int variable) {
        return LittleEndian.getU8(view, variable);
    }

    /** Offset at which the next variable begins, or {@code end}; {@code variable} must have been checked. */
    public static int next(ByteBuffer view, int variable, int end) {
        return variable + 1 + valueLength(view, variable, end);
    }

    /** Offset of a variable's value; -1 if it is absent. */
    public static int find(ByteBuffer view, int begin, int end, int code) {
        for (int v = begin; v < end; v = next(view, v, end)) {
            if (code(view, v) == code) {
                return v + 1;
            }
        }
        return -1;
    }

    /**
     * Rejects variables that are truncated or have an unknown code.
     *
     * @param at the event's header, for the message
     */
    static void check(ByteBuffer view, int at, int begin, int end) {
        int variable = begin;
        while (variable < end) {
            int length = valueLength(view, variable, end);
            if (length == UNKNOWN) {
                throw new TributaryException(
                        ErrorCode.EVENT_UNKNOWN,
                        Malformed.name(view, at)
                                + ": expected a known status variable (0..20, 128..131, 200, 201), found code "
                                + code(view, variable));
            }
            Malformed.room(view, at, end, variable + 1, length, "a status variable");
            variable += 1 + length;
        }
    }

    /** Bytes of a value; it exceeds the end if the value is truncated. */
    private static int valueLength(ByteBuffer view, int variable, int end) {
        int value = variable + 1;
        return switch (code(view, variable)) {
            case Q_FLAGS2_CODE, Q_AUTO_INCREMENT, Q_MASTER_DATA_WRITTEN_CODE -> 4;
            case Q_SQL_MODE_CODE, Q_TABLE_MAP_FOR_UPDATE_CODE, Q_COMMIT_TS, Q_COMMIT_TS2 -> 8;
            case Q_DDL_LOGGED_WITH_XID, Q_LIZARD_COMMIT_GCN, Q_LIZARD_PREPARE_GCN, Q_XID -> 8;
            case Q_CHARSET_CODE -> 6;
            case Q_MICROSECONDS, Q_HRNOW -> 3;
            case Q_LC_TIME_NAMES_CODE, Q_CHARSET_DATABASE_CODE, Q_DEFAULT_COLLATION_FOR_UTF8MB4 -> 2;
            case Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP, Q_SQL_REQUIRE_PRIMARY_KEY, Q_DEFAULT_TABLE_ENCRYPTION -> 1;
            case Q_CATALOG_CODE -> string(view, value, end) + 1;
            case Q_TIME_ZONE_CODE, Q_CATALOG_NZ_CODE -> string(view, value, end);
            case Q_INVOKER -> {
                int user = string(view, value, end);
                yield user + string(view, value + user, end);
            }
            case Q_UPDATED_DB_NAMES -> names(view, value, end);
            case Q_GTID_FLAGS3 -> value < end && (LittleEndian.getU8(view, value) & ENDS_ALTER) != 0 ? 9 : 1;
            case Q_CHARACTER_SET_COLLATIONS -> value < end ? 1 + 4 * LittleEndian.getU8(view, value) : 1;
            default -> UNKNOWN;
        };
    }

    private static int string(ByteBuffer view, int at, int end) {
        return at < end ? 1 + LittleEndian.getU8(view, at) : 1;
    }

    private static int names(ByteBuffer view, int at, int end) {
        if (at >= end) {
            return 1;
        }
        int count = LittleEndian.getU8(view, at);
        int to = at + 1;
        for (int i = 0; count != OVER_MAX_DBS_IN_EVENT_MTS && i < count; i++) {
            while (to < end && view.get(to) != 0) {
                to++;
            }
            to++;
        }
        return to - at;
    }
}
