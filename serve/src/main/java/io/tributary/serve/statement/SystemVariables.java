package io.tributary.serve.statement;

import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlValue;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The table of system variables: constants, and variables whose values are read when they are requested. Immutable. */
final class SystemVariables {
    /** Variables that SHOW VARIABLES shows as ON and OFF, and SELECT as 1 and 0. */
    private static final Set<String> BOOLEANS = Set.of(
            "autocommit",
            "binlog_rows_query_log_events",
            "log_bin",
            "log_replica_updates",
            "log_slave_updates",
            "performance_schema",
            "read_only",
            "rpl_semi_sync_master_enabled",
            "rpl_semi_sync_source_enabled",
            "super_read_only");

    private final Map<String, Supplier<SqlValue>> table;

    private final Supplier<Map<String, String>> learned;

    private final long longestValue;

    private SystemVariables(
            Map<String, Supplier<SqlValue>> table, Supplier<Map<String, String>> learned, long longestValue) {
        this.table = table;
        this.learned = learned;
        this.longestValue = longestValue;
    }

    /** The values that the node itself has. */
    interface ServerFacts {
        String version();

        long serverId();

        String serverUuid();

        /** All GTIDs that readers can read. */
        String gtidExecuted();

        String gtidPurged();

        int port();

        /** Length of the longest accepted statement, in bytes. */
        long statementBytes();

        /** Length of the longest packet of a session without a dump: a statement, or a row of a SELECT on a table, in bytes. */
        long packetBytes();

        /** Seconds without a statement after which a session ends. */
        long idleSeconds();
    }

    /**
     * Creates the table.
     *
     * @param learned values reported by a shard, if one answers questions about schemas; they replace the constants
     */
    static SystemVariables of(ServerFacts facts, Supplier<Map<String, String>> learned) {
        Map<String, Supplier<SqlValue>> table = new TreeMap<>();
        for (String line : CONSTANTS.lines().toList()) {
            int equals = line.indexOf('=');
            String value = line.substring(equals + 1);
            SqlValue constant = new SqlValue(value, isNumber(value));
            table.put(line.substring(0, equals), () -> constant);
        }
        table.put("version", () -> SqlValue.of(facts.version()));
        table.put("server_id", () -> SqlValue.of(facts.serverId()));
        table.put("server_uuid", () -> SqlValue.of(facts.serverUuid()));
        table.put("gtid_executed", () -> SqlValue.of(facts.gtidExecuted()));
        table.put("gtid_purged", () -> SqlValue.of(facts.gtidPurged()));
        table.put("port", () -> SqlValue.of(facts.port()));
        table.put("max_allowed_packet", () -> SqlValue.of(facts.packetBytes()));
        table.put("wait_timeout", () -> SqlValue.of(facts.idleSeconds()));
        table.put("max_execution_time", () -> SqlValue.of(0));
        table.put("interactive_timeout", () -> SqlValue.of(facts.idleSeconds()));
        return new SystemVariables(table, learned, facts.statementBytes());
    }

    /**
     * @param written name with or without {@code global.}, {@code session.} or {@code local.}, in any case
     * @throws SqlRefusal 1193 when there is no such variable: replicas accept only this number from an old source
     */
    SqlValue value(String written) {
        String name = plain(written);
        Supplier<SqlValue> value = table.get(name);
        if (value == null) {
            throw SqlRefusal.unknownVariable(name);
        }
        SqlValue current = current(name, value);
        return BOOLEANS.contains(name) ? SqlValue.of("ON".equals(current.text()) ? 1 : 0) : current;
    }

    /** Length of the longest value that a function may return, in characters. */
    long longestValue() {
        return longestValue;
    }

    private SqlValue current(String name, Supplier<SqlValue> value) {
        String reported = learned.get().get(name);
        return reported == null ? value.get() : new SqlValue(reported, isNumber(reported));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** The variables with matching names, in the order of their names. */
    Map<String, SqlValue> matching(Predicate<String> name) {
        Map<String, SqlValue> found = new TreeMap<>();
        table.forEach((key, value) -> {
            if (name.test(key)) {
                found.put(key, current(key, value));
            }
        });
        return found;
    }

    static String plain(String written) {
        String name = key(written);
        for (String scope : new String[] {"global.", "session.", "local."}) {
            if (name.startsWith(scope)) {
                return name.substring(scope.length());
            }
        }
        return name;
    }

    /** The key of a variable: names are case-insensitive. */
    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static final String CONSTANTS = """
            auto_increment_increment=1
            autocommit=ON
            binlog_checksum=CRC32
            binlog_format=ROW
            binlog_row_image=FULL
            binlog_row_metadata=FULL
            binlog_row_value_options=
            binlog_rows_query_log_events=OFF
            character_set_client=utf8mb4
            character_set_connection=utf8mb4
            character_set_database=utf8mb4
            character_set_results=utf8mb4
            character_set_server=utf8mb4
            collation_connection=utf8mb4_0900_ai_ci
            collation_database=utf8mb4_0900_ai_ci
            collation_server=utf8mb4_0900_ai_ci
            default_storage_engine=InnoDB
            enforce_gtid_consistency=ON
            gtid_mode=ON
            init_connect=
            innodb_lock_wait_timeout=50
            license=Apache-2.0
            log_bin=ON
            log_replica_updates=ON
            log_slave_updates=ON
            lock_wait_timeout=31536000
            lower_case_table_names=0
            net_buffer_length=16384
            net_read_timeout=30
            net_write_timeout=60
            query_cache_size=0
            query_cache_type=OFF
            performance_schema=OFF
            protocol_version=10
            read_only=ON
            rpl_semi_sync_master_enabled=ON
            rpl_semi_sync_source_enabled=ON
            session_track_system_variables=
            sql_mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION
            super_read_only=ON
            system_time_zone=UTC
            time_zone=SYSTEM
            transaction_isolation=REPEATABLE-READ
            transaction_read_only=0
            tx_isolation=REPEATABLE-READ
            tx_read_only=0
            version_comment=Tributary
            version_compile_machine=x86_64
            version_compile_os=Linux""";
}
