package io.tributary.mysql.event;

import java.util.Arrays;

/**
 * Event types by MySQL's names (enum Log_event_type in libbinlogevents/include/binlog_event.h): the table of their codes, names and categories.
 * A new type is a constant and a row.
 */
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

    private static final int CODES = 256;
    private static final String[] NAMES = new String[CODES];
    private static final EventCategory[] CATEGORIES = new EventCategory[CODES];

    static {
        Arrays.fill(CATEGORIES, EventCategory.UNSUPPORTED);
        row(UNKNOWN_EVENT, "UNKNOWN_EVENT", EventCategory.UNSUPPORTED);
        row(START_EVENT_V3, "START_EVENT_V3", EventCategory.UNSUPPORTED);
        row(QUERY_EVENT, "QUERY_EVENT", EventCategory.STATEMENT);
        row(STOP_EVENT, "STOP_EVENT", EventCategory.IGNORED);
        row(ROTATE_EVENT, "ROTATE_EVENT", EventCategory.ROTATE);
        row(INTVAR_EVENT, "INTVAR_EVENT", EventCategory.STATEMENT_CONTEXT);
        row(SLAVE_EVENT, "SLAVE_EVENT", EventCategory.UNSUPPORTED);
        row(APPEND_BLOCK_EVENT, "APPEND_BLOCK_EVENT", EventCategory.LOAD_DATA);
        row(DELETE_FILE_EVENT, "DELETE_FILE_EVENT", EventCategory.LOAD_DATA);
        row(RAND_EVENT, "RAND_EVENT", EventCategory.STATEMENT_CONTEXT);
        row(USER_VAR_EVENT, "USER_VAR_EVENT", EventCategory.STATEMENT_CONTEXT);
        row(FORMAT_DESCRIPTION_EVENT, "FORMAT_DESCRIPTION_EVENT", EventCategory.FORMAT_DESCRIPTION);
        row(XID_EVENT, "XID_EVENT", EventCategory.COMMIT);
        row(BEGIN_LOAD_QUERY_EVENT, "BEGIN_LOAD_QUERY_EVENT", EventCategory.LOAD_DATA);
        row(EXECUTE_LOAD_QUERY_EVENT, "EXECUTE_LOAD_QUERY_EVENT", EventCategory.LOAD_DATA);
        row(TABLE_MAP_EVENT, "TABLE_MAP_EVENT", EventCategory.TABLE_MAP);
        row(WRITE_ROWS_EVENT_V1, "WRITE_ROWS_EVENT_V1", EventCategory.ROWS);
        row(UPDATE_ROWS_EVENT_V1, "UPDATE_ROWS_EVENT_V1", EventCategory.ROWS);
        row(DELETE_ROWS_EVENT_V1, "DELETE_ROWS_EVENT_V1", EventCategory.ROWS);
        row(INCIDENT_EVENT, "INCIDENT_EVENT", EventCategory.INCIDENT);
        row(HEARTBEAT_LOG_EVENT, "HEARTBEAT_LOG_EVENT", EventCategory.HEARTBEAT);
        row(IGNORABLE_LOG_EVENT, "IGNORABLE_LOG_EVENT", EventCategory.IGNORED);
        row(ROWS_QUERY_LOG_EVENT, "ROWS_QUERY_LOG_EVENT", EventCategory.ROWS_QUERY);
        row(WRITE_ROWS_EVENT, "WRITE_ROWS_EVENT", EventCategory.ROWS);
        row(UPDATE_ROWS_EVENT, "UPDATE_ROWS_EVENT", EventCategory.ROWS);
        row(DELETE_ROWS_EVENT, "DELETE_ROWS_EVENT", EventCategory.ROWS);
        row(GTID_LOG_EVENT, "GTID_LOG_EVENT", EventCategory.GTID);
        row(ANONYMOUS_GTID_LOG_EVENT, "ANONYMOUS_GTID_LOG_EVENT", EventCategory.ANONYMOUS_GTID);
        row(PREVIOUS_GTIDS_LOG_EVENT, "PREVIOUS_GTIDS_LOG_EVENT", EventCategory.IGNORED);
        row(TRANSACTION_CONTEXT_EVENT, "TRANSACTION_CONTEXT_EVENT", EventCategory.IGNORED);
        row(VIEW_CHANGE_EVENT, "VIEW_CHANGE_EVENT", EventCategory.IGNORED);
        row(XA_PREPARE_LOG_EVENT, "XA_PREPARE_LOG_EVENT", EventCategory.XA_PREPARE);
        row(PARTIAL_UPDATE_ROWS_EVENT, "PARTIAL_UPDATE_ROWS_EVENT", EventCategory.ROWS);
        row(TRANSACTION_PAYLOAD_EVENT, "TRANSACTION_PAYLOAD_EVENT", EventCategory.TRANSACTION_PAYLOAD);
        row(HEARTBEAT_LOG_EVENT_V2, "HEARTBEAT_LOG_EVENT_V2", EventCategory.HEARTBEAT);
        row(GTID_TAGGED_LOG_EVENT, "GTID_TAGGED_LOG_EVENT", EventCategory.GTID);
        row(SEQUENCE_EVENT, "SEQUENCE_EVENT", EventCategory.COMMIT_TIMESTAMP);
        row(CONSENSUS_LOG_EVENT, "CONSENSUS_LOG_EVENT", EventCategory.IGNORED);
        row(PREVIOUS_CONSENSUS_INDEX_LOG_EVENT, "PREVIOUS_CONSENSUS_INDEX_LOG_EVENT", EventCategory.IGNORED);
        row(CONSENSUS_CLUSTER_INFO_EVENT, "CONSENSUS_CLUSTER_INFO_EVENT", EventCategory.IGNORED);
        row(CONSENSUS_EMPTY_EVENT, "CONSENSUS_EMPTY_EVENT", EventCategory.IGNORED);
        row(GCN_LOG_EVENT, "GCN_LOG_EVENT", EventCategory.COMMIT_TIMESTAMP);
        row(ANNOTATE_ROWS_EVENT, "ANNOTATE_ROWS_EVENT", EventCategory.IGNORED);
        row(BINLOG_CHECKPOINT_EVENT, "BINLOG_CHECKPOINT_EVENT", EventCategory.IGNORED);
        row(MARIADB_GTID_EVENT, "GTID_EVENT", EventCategory.GTID);
        row(GTID_LIST_EVENT, "GTID_LIST_EVENT", EventCategory.IGNORED);
        row(START_ENCRYPTION_EVENT, "START_ENCRYPTION_EVENT", EventCategory.ENCRYPTION);
        row(QUERY_COMPRESSED_EVENT, "QUERY_COMPRESSED_EVENT", EventCategory.COMPRESSED_STATEMENT);
        row(WRITE_ROWS_COMPRESSED_EVENT_V1, "WRITE_ROWS_COMPRESSED_EVENT_V1", EventCategory.COMPRESSED_ROWS);
        row(UPDATE_ROWS_COMPRESSED_EVENT_V1, "UPDATE_ROWS_COMPRESSED_EVENT_V1", EventCategory.COMPRESSED_ROWS);
        row(DELETE_ROWS_COMPRESSED_EVENT_V1, "DELETE_ROWS_COMPRESSED_EVENT_V1", EventCategory.COMPRESSED_ROWS);
        row(WRITE_ROWS_COMPRESSED_EVENT, "WRITE_ROWS_COMPRESSED_EVENT", EventCategory.COMPRESSED_ROWS);
        row(UPDATE_ROWS_COMPRESSED_EVENT, "UPDATE_ROWS_COMPRESSED_EVENT", EventCategory.COMPRESSED_ROWS);
        row(DELETE_ROWS_COMPRESSED_EVENT, "DELETE_ROWS_COMPRESSED_EVENT", EventCategory.COMPRESSED_ROWS);
    }

    private EventType() {}

    private static void row(int type, String name, EventCategory category) {
        NAMES[type] = name;
        CATEGORIES[type] = category;
    }

    /**
     * What events of a type are for, and how the extractor handles them; {@link EventCategory#UNSUPPORTED} for a type without a row.
     *
     * @param type 0..255
     */
    public static EventCategory category(int type) {
        return CATEGORIES[type];
    }

    /** MySQL's name, or "unknown type n". */
    public static String name(int type) {
        String name = type >= 0 && type < CODES ? NAMES[type] : null;
        return name == null ? "unknown type " + type : name;
    }
}
