package io.tributary.replay.stream;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.mysql.event.Text;
import io.tributary.schema.sql.SqlNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The session settings with which a statement of the stream is executed, as mysqlbinlog writes them (Query_log_event::print_query_header in
 * sql/log_event.cc). Settings of later versions are in version comments.
 */
final class StatementSettings {
    private static final long OPTION_AUTO_IS_NULL = 1L << 14;
    private static final long OPTION_NO_FOREIGN_KEY_CHECKS = 1L << 26;
    private static final long OPTION_RELAXED_UNIQUE_CHECKS = 1L << 27;
    /** Modes of 5.7 that later servers do not know: of other databases and MySQL 4 (bits 8 to 17), and NO_AUTO_CREATE_USER. */
    private static final long OLD_MODES = 0x3ff00L | 1L << 28;

    /** MySQL 5.7 and MariaDB do not know this collation, utf8mb4_0900_ai_ci, and those after it, all of utf8mb4. */
    private static final int FIRST_NEW_COLLATION = 255;

    /** A collation of the same character set that they know: utf8mb4_general_ci. */
    private static final int UTF8MB4 = 45;

    private final ByteBuffer view;
    private final int at;
    private final boolean knowsOldModes;
    private final List<String> assignments = new ArrayList<>();

    private StatementSettings(ByteBuffer view, int at, boolean knowsOldModes) {
        this.view = view;
        this.at = at;
        this.knowsOldModes = knowsOldModes;
    }

    /**
     * The statement that sets them.
     *
     * @param knowsOldModes whether the server is older than 8.0
     */
    static String of(ByteBuffer view, int at, boolean knowsOldModes) {
        return new StatementSettings(view, at, knowsOldModes).text();
    }

    private String text() {
        assignments.add("timestamp = " + timestamp());
        flags();
        mode();
        charset();
        timeZone();
        locale();
        String later = byVersion();
        return "SET " + String.join(", ", assignments) + later;
    }

    private String timestamp() {
        int micros = value(StatusVariables.Q_MICROSECONDS);
        long seconds = EventHeader.timestamp(view, at);
        return micros < 0
                ? Long.toString(seconds)
                : String.format(Locale.ROOT, "%d.%06d", seconds, LittleEndian.getU24(view, micros));
    }

    private void flags() {
        int value = value(StatusVariables.Q_FLAGS2_CODE);
        long flags = value < 0 ? 0 : LittleEndian.getU32(view, value);
        set("foreign_key_checks", (flags & OPTION_NO_FOREIGN_KEY_CHECKS) == 0 ? 1 : 0);
        set("unique_checks", (flags & OPTION_RELAXED_UNIQUE_CHECKS) == 0 ? 1 : 0);
        set("sql_auto_is_null", (flags & OPTION_AUTO_IS_NULL) == 0 ? 0 : 1);
    }

    private void mode() {
        int value = value(StatusVariables.Q_SQL_MODE_CODE);
        long mode = value < 0 ? 0 : LittleEndian.getLong(view, value);
        set("sql_mode", knowsOldModes ? mode : mode & ~OLD_MODES);
    }

    private void charset() {
        int value = value(StatusVariables.Q_CHARSET_CODE);
        if (value >= 0) {
            int client = LittleEndian.getU16(view, value);
            set("character_set_client", knowsOldModes && client >= FIRST_NEW_COLLATION ? UTF8MB4 : client);
            collation("collation_connection", LittleEndian.getU16(view, value + 2));
            collation("collation_server", LittleEndian.getU16(view, value + 4));
        }
    }

    private void collation(String variable, int number) {
        if (!knowsOldModes || number < FIRST_NEW_COLLATION) {
            set(variable, number);
        }
    }

    private void timeZone() {
        int value = value(StatusVariables.Q_TIME_ZONE_CODE);
        String zone = "SYSTEM";
        if (value >= 0) {
            zone = Text.utf8(view, value + 1, value + 1 + LittleEndian.getU8(view, value));
        }
        assignments.add("time_zone = " + (zone.isEmpty() ? "'SYSTEM'" : SqlNames.literal(zone)));
    }

    private void locale() {
        int value = value(StatusVariables.Q_LC_TIME_NAMES_CODE);
        set("lc_time_names", value < 0 ? 0 : LittleEndian.getU16(view, value));
    }

    private String byVersion() {
        StringBuilder later = new StringBuilder();
        int defaults = value(StatusVariables.Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP);
        if (defaults >= 0) {
            set("explicit_defaults_for_timestamp", LittleEndian.getU8(view, defaults));
        }
        int collation = value(StatusVariables.Q_DEFAULT_COLLATION_FOR_UTF8MB4);
        if (collation >= 0) {
            later.append(" /*!80011 , default_collation_for_utf8mb4 = ")
                    .append(LittleEndian.getU16(view, collation))
                    .append(" */");
        }
        int encryption = value(StatusVariables.Q_DEFAULT_TABLE_ENCRYPTION);
        if (encryption >= 0 && LittleEndian.getU8(view, encryption) != 0) {
            later.append(" /*!80016 , default_table_encryption = 1 */");
        }
        return later.append(" /*!80013 , sql_require_primary_key = 0 */").toString();
    }

    private int value(int code) {
        return QueryEvent.variable(view, at, code);
    }

    private void set(String variable, long value) {
        assignments.add(variable + " = " + value);
    }
}
