package io.tributary.serve.statement;

import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The table of system variables: constants, and variables whose values are read when they are requested. Immutable. */
final class SystemVariables {
    /** Variables that SHOW VARIABLES shows as ON and OFF, and SELECT as 1 and 0. */
    private static final Set<String> BOOLEANS =
            Set.of(("autocommit big_tables binlog_encryption binlog_expire_logs_auto_purge binlog_order_commits"
                            + " binlog_rows_query_log_events binlog_transaction_compression explicit_defaults_for_timestamp"
                            + " foreign_key_checks general_log innodb_read_only innodb_stats_on_metadata local_infile log_bin"
                            + " log_bin_trust_function_creators log_bin_use_v1_row_events log_replica_updates log_slave_updates"
                            + " lower_case_file_system offline_mode old_alter_table performance_schema read_only"
                            + " rpl_semi_sync_master_enabled rpl_semi_sync_source_enabled session_track_schema"
                            + " session_track_state_change skip_name_resolve skip_networking slow_query_log sql_auto_is_null"
                            + " sql_big_selects sql_log_bin sql_notes sql_quote_show_create sql_require_primary_key sql_safe_updates"
                            + " sql_warnings super_read_only unique_checks")
                    .split(" "));

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

        /** The name of this machine. */
        String hostName();

        /** The path of the binlog files without the number at its end. */
        String binlogBasename();

        /** Whether clients may compress their connections. */
        boolean compression();

        /** The size at which a binlog file ends, in bytes. */
        long binlogFileBytes();

        /** Whether other readers wait for acknowledgements of semi-sync replicas. */
        boolean waitsForReplicas();

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
        table.put("hostname", () -> SqlValue.of(facts.hostName()));
        table.put("log_bin_basename", () -> SqlValue.of(facts.binlogBasename()));
        table.put("log_bin_index", () -> SqlValue.of(facts.binlogBasename() + ".index"));
        table.put(
                "protocol_compression_algorithms",
                () -> SqlValue.of(facts.compression() ? "zlib,zstd,uncompressed" : "uncompressed"));
        table.put("have_compress", () -> SqlValue.of(facts.compression() ? "YES" : "NO"));
        table.put("max_binlog_size", () -> SqlValue.of(facts.binlogFileBytes()));
        table.put("innodb_version", () -> SqlValue.of(facts.version().replaceFirst("[^0-9.].*", "")));
        for (String name : List.of("rpl_semi_sync_master_enabled", "rpl_semi_sync_source_enabled")) {
            table.put(name, () -> SqlValue.of(facts.waitsForReplicas() ? "ON" : "OFF"));
        }
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
            auto_increment_offset=1
            autocommit=ON
            big_tables=OFF
            binlog_cache_size=32768
            binlog_checksum=CRC32
            binlog_encryption=OFF
            binlog_expire_logs_auto_purge=OFF
            binlog_expire_logs_seconds=0
            binlog_format=ROW
            binlog_group_commit_sync_delay=0
            binlog_order_commits=ON
            binlog_row_event_max_size=8192
            binlog_row_image=FULL
            binlog_row_metadata=FULL
            binlog_row_value_options=
            binlog_rows_query_log_events=OFF
            binlog_transaction_compression=OFF
            binlog_transaction_compression_level_zstd=3
            character_set_client=utf8mb4
            character_set_connection=utf8mb4
            character_set_database=utf8mb4
            character_set_filesystem=binary
            character_set_results=utf8mb4
            character_set_server=utf8mb4
            character_set_system=utf8mb3
            collation_connection=utf8mb4_0900_ai_ci
            collation_database=utf8mb4_0900_ai_ci
            collation_server=utf8mb4_0900_ai_ci
            completion_type=NO_CHAIN
            connect_timeout=10
            default_authentication_plugin=caching_sha2_password
            default_collation_for_utf8mb4=utf8mb4_0900_ai_ci
            default_storage_engine=InnoDB
            default_tmp_storage_engine=InnoDB
            default_week_format=0
            div_precision_increment=4
            enforce_gtid_consistency=ON
            event_scheduler=OFF
            explicit_defaults_for_timestamp=ON
            foreign_key_checks=ON
            general_log=OFF
            group_concat_max_len=1024
            gtid_mode=ON
            gtid_owned=
            have_query_cache=NO
            information_schema_stats_expiry=86400
            init_connect=
            innodb_lock_wait_timeout=50
            innodb_page_size=16384
            innodb_read_only=OFF
            innodb_stats_on_metadata=OFF
            lc_messages=en_US
            lc_time_names=en_US
            license=Apache-2.0
            local_infile=OFF
            lock_wait_timeout=31536000
            log_bin=ON
            log_bin_trust_function_creators=OFF
            log_bin_use_v1_row_events=OFF
            log_error_verbosity=2
            log_replica_updates=ON
            log_slave_updates=ON
            long_query_time=10.000000
            lower_case_file_system=OFF
            lower_case_table_names=0
            max_error_count=1024
            max_join_size=18446744073709551615
            max_sort_length=1024
            net_buffer_length=16384
            net_read_timeout=30
            net_retry_count=10
            net_write_timeout=60
            offline_mode=OFF
            old_alter_table=OFF
            performance_schema=OFF
            protocol_version=10
            query_cache_size=0
            query_cache_type=OFF
            read_only=ON
            replica_net_timeout=60
            report_host=
            secure_file_priv=NULL
            session_track_gtids=OFF
            session_track_schema=OFF
            session_track_state_change=OFF
            session_track_system_variables=
            session_track_transaction_info=OFF
            skip_name_resolve=ON
            skip_networking=OFF
            slave_net_timeout=60
            slow_query_log=OFF
            sql_auto_is_null=OFF
            sql_big_selects=ON
            sql_log_bin=ON
            sql_mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION
            sql_notes=ON
            sql_quote_show_create=ON
            sql_require_primary_key=OFF
            sql_safe_updates=OFF
            sql_select_limit=18446744073709551615
            sql_warnings=OFF
            super_read_only=ON
            sync_binlog=1
            system_time_zone=UTC
            time_zone=SYSTEM
            transaction_isolation=REPEATABLE-READ
            transaction_read_only=0
            tx_isolation=REPEATABLE-READ
            tx_read_only=0
            unique_checks=ON
            version_comment=Tributary
            version_compile_machine=x86_64
            version_compile_os=Linux""";
}
