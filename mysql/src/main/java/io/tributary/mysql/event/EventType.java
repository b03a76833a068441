package io.tributary.mysql.event;

import java.util.Map;

/** Event types by MySQL's names (enum Log_event_type in libbinlogevents/include/binlog_event.h). */
public final class EventType {
    public static final int UNKNOWN_EVENT = 0;
    public static final int START_EVENT_V3 = 1;
    public static final int QUERY_EVENT = 2;
    public static final int STOP_EVENT = 3;
    public static final int ROTATE_EVENT = 4;
    public static final int INTVAR_EVENT = 5;
    public static final int SLAVE_EVENT = 7;
    public static final int APPEND_BLOCK_EVENT = 9;
    public static final int DELETE_FILE_EVENT = 11;
    public static final int RAND_EVENT = 13;
    public static final int USER_VAR_EVENT = 14;
    public static final int FORMAT_DESCRIPTION_EVENT = 15;
    public static final int XID_EVENT = 16;
    public static final int BEGIN_LOAD_QUERY_EVENT = 17;
    public static final int EXECUTE_LOAD_QUERY_EVENT = 18;
    public static final int TABLE_MAP_EVENT = 19;
    public static final int WRITE_ROWS_EVENT_V1 = 23;
    public static final int UPDATE_ROWS_EVENT_V1 = 24;
    public static final int DELETE_ROWS_EVENT_V1 = 25;
    public static final int INCIDENT_EVENT = 26;
    public static final int HEARTBEAT_LOG_EVENT = 27;
    public static final int IGNORABLE_LOG_EVENT = 28;
    public static final int ROWS_QUERY_LOG_EVENT = 29;
    public static final int WRITE_ROWS_EVENT = 30;
    public static final int UPDATE_ROWS_EVENT = 31;
    public static final int DELETE_ROWS_EVENT = 32;
    public static final int GTID_LOG_EVENT = 33;
    public static final int ANONYMOUS_GTID_LOG_EVENT = 34;
    public static final int PREVIOUS_GTIDS_LOG_EVENT = 35;
    public static final int TRANSACTION_CONTEXT_EVENT = 36;
    public static final int VIEW_CHANGE_EVENT = 37;
    public static final int XA_PREPARE_LOG_EVENT = 38;
    public static final int PARTIAL_UPDATE_ROWS_EVENT = 39;
    public static final int TRANSACTION_PAYLOAD_EVENT = 40;
    public static final int HEARTBEAT_LOG_EVENT_V2 = 41;
    public static final int GTID_TAGGED_LOG_EVENT = 42;
    /** Event types of PolarDB-X data nodes, up to GCN_LOG_EVENT. */
    public static final int SEQUENCE_EVENT = 80;

    public static final int CONSENSUS_LOG_EVENT = 101;
    public static final int PREVIOUS_CONSENSUS_INDEX_LOG_EVENT = 102;
    public static final int CONSENSUS_CLUSTER_INFO_EVENT = 103;
    public static final int CONSENSUS_EMPTY_EVENT = 104;
    public static final int GCN_LOG_EVENT = 105;

    /** Event types of MariaDB (enum Log_event_type in its sql/log_event.h), up to the last one. */
    public static final int ANNOTATE_ROWS_EVENT = 160;

    public static final int BINLOG_CHECKPOINT_EVENT = 161;
    public static final int MARIADB_GTID_EVENT = 162;
    public static final int GTID_LIST_EVENT = 163;
    public static final int START_ENCRYPTION_EVENT = 164;
    public static final int QUERY_COMPRESSED_EVENT = 165;
    public static final int WRITE_ROWS_COMPRESSED_EVENT_V1 = 166;
    public static final int UPDATE_ROWS_COMPRESSED_EVENT_V1 = 167;
    public static final int DELETE_ROWS_COMPRESSED_EVENT_V1 = 168;
    public static final int WRITE_ROWS_COMPRESSED_EVENT = 169;
    public static final int UPDATE_ROWS_COMPRESSED_EVENT = 170;
    public static final int DELETE_ROWS_COMPRESSED_EVENT = 171;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(UNKNOWN_EVENT, "UNKNOWN_EVENT"),
            Map.entry(START_EVENT_V3, "START_EVENT_V3"),
            Map.entry(QUERY_EVENT, "QUERY_EVENT"),
            Map.entry(STOP_EVENT, "STOP_EVENT"),
            Map.entry(ROTATE_EVENT, "ROTATE_EVENT"),
            Map.entry(INTVAR_EVENT, "INTVAR_EVENT"),
            Map.entry(SLAVE_EVENT, "SLAVE_EVENT"),
            Map.entry(APPEND_BLOCK_EVENT, "APPEND_BLOCK_EVENT"),
            Map.entry(DELETE_FILE_EVENT, "DELETE_FILE_EVENT"),
            Map.entry(RAND_EVENT, "RAND_EVENT"),
            Map.entry(USER_VAR_EVENT, "USER_VAR_EVENT"),
            Map.entry(FORMAT_DESCRIPTION_EVENT, "FORMAT_DESCRIPTION_EVENT"),
            Map.entry(XID_EVENT, "XID_EVENT"),
            Map.entry(BEGIN_LOAD_QUERY_EVENT, "BEGIN_LOAD_QUERY_EVENT"),
            Map.entry(EXECUTE_LOAD_QUERY_EVENT, "EXECUTE_LOAD_QUERY_EVENT"),
            Map.entry(TABLE_MAP_EVENT, "TABLE_MAP_EVENT"),
            Map.entry(WRITE_ROWS_EVENT_V1, "WRITE_ROWS_EVENT_V1"),
            Map.entry(UPDATE_ROWS_EVENT_V1, "UPDATE_ROWS_EVENT_V1"),
            Map.entry(DELETE_ROWS_EVENT_V1, "DELETE_ROWS_EVENT_V1"),
            Map.entry(INCIDENT_EVENT, "INCIDENT_EVENT"),
            Map.entry(HEARTBEAT_LOG_EVENT, "HEARTBEAT_LOG_EVENT"),
            Map.entry(IGNORABLE_LOG_EVENT, "IGNORABLE_LOG_EVENT"),
            Map.entry(ROWS_QUERY_LOG_EVENT, "ROWS_QUERY_LOG_EVENT"),
            Map.entry(WRITE_ROWS_EVENT, "WRITE_ROWS_EVENT"),
            Map.entry(UPDATE_ROWS_EVENT, "UPDATE_ROWS_EVENT"),
            Map.entry(DELETE_ROWS_EVENT, "DELETE_ROWS_EVENT"),
            Map.entry(GTID_LOG_EVENT, "GTID_LOG_EVENT"),
            Map.entry(ANONYMOUS_GTID_LOG_EVENT, "ANONYMOUS_GTID_LOG_EVENT"),
            Map.entry(PREVIOUS_GTIDS_LOG_EVENT, "PREVIOUS_GTIDS_LOG_EVENT"),
            Map.entry(TRANSACTION_CONTEXT_EVENT, "TRANSACTION_CONTEXT_EVENT"),
            Map.entry(VIEW_CHANGE_EVENT, "VIEW_CHANGE_EVENT"),
            Map.entry(XA_PREPARE_LOG_EVENT, "XA_PREPARE_LOG_EVENT"),
            Map.entry(PARTIAL_UPDATE_ROWS_EVENT, "PARTIAL_UPDATE_ROWS_EVENT"),
            Map.entry(TRANSACTION_PAYLOAD_EVENT, "TRANSACTION_PAYLOAD_EVENT"),
            Map.entry(HEARTBEAT_LOG_EVENT_V2, "HEARTBEAT_LOG_EVENT_V2"),
            Map.entry(GTID_TAGGED_LOG_EVENT, "GTID_TAGGED_LOG_EVENT"),
            Map.entry(SEQUENCE_EVENT, "SEQUENCE_EVENT"),
            Map.entry(CONSENSUS_LOG_EVENT, "CONSENSUS_LOG_EVENT"),
            Map.entry(PREVIOUS_CONSENSUS_INDEX_LOG_EVENT, "PREVIOUS_CONSENSUS_INDEX_LOG_EVENT"),
            Map.entry(CONSENSUS_CLUSTER_INFO_EVENT, "CONSENSUS_CLUSTER_INFO_EVENT"),
            Map.entry(CONSENSUS_EMPTY_EVENT, "CONSENSUS_EMPTY_EVENT"),
            Map.entry(GCN_LOG_EVENT, "GCN_LOG_EVENT"),
            Map.entry(ANNOTATE_ROWS_EVENT, "ANNOTATE_ROWS_EVENT"),
            Map.entry(BINLOG_CHECKPOINT_EVENT, "BINLOG_CHECKPOINT_EVENT"),
            Map.entry(MARIADB_GTID_EVENT, "GTID_EVENT"),
            Map.entry(GTID_LIST_EVENT, "GTID_LIST_EVENT"),
            Map.entry(START_ENCRYPTION_EVENT, "START_ENCRYPTION_EVENT"),
            Map.entry(QUERY_COMPRESSED_EVENT, "QUERY_COMPRESSED_EVENT"),
            Map.entry(WRITE_ROWS_COMPRESSED_EVENT_V1, "WRITE_ROWS_COMPRESSED_EVENT_V1"),
            Map.entry(UPDATE_ROWS_COMPRESSED_EVENT_V1, "UPDATE_ROWS_COMPRESSED_EVENT_V1"),
            Map.entry(DELETE_ROWS_COMPRESSED_EVENT_V1, "DELETE_ROWS_COMPRESSED_EVENT_V1"),
            Map.entry(WRITE_ROWS_COMPRESSED_EVENT, "WRITE_ROWS_COMPRESSED_EVENT"),
            Map.entry(UPDATE_ROWS_COMPRESSED_EVENT, "UPDATE_ROWS_COMPRESSED_EVENT"),
            Map.entry(DELETE_ROWS_COMPRESSED_EVENT, "DELETE_ROWS_COMPRESSED_EVENT"));

    private EventType() {}

    /** Whether it is one of the types above except 0. */
    public static boolean isKnown(int type) {
        return switch (type) {
            case UNKNOWN_EVENT, 6, 8, 10, 12, 20, 21, 22 -> false;
            case SEQUENCE_EVENT,
                    CONSENSUS_LOG_EVENT,
                    PREVIOUS_CONSENSUS_INDEX_LOG_EVENT,
                    CONSENSUS_CLUSTER_INFO_EVENT,
                    CONSENSUS_EMPTY_EVENT,
                    GCN_LOG_EVENT -> true;
            default ->
                (type > 0 && type <= GTID_TAGGED_LOG_EVENT)
                        || (type >= ANNOTATE_ROWS_EVENT && type <= DELETE_ROWS_COMPRESSED_EVENT);
        };
    }

    /** MySQL's name, or "unknown type n". */
    public static String name(int type) {
        String name = NAMES.get(type);
        return name == null ? "unknown type " + type : name;
    }
}
