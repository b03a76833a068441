package io.tributary.mysql.protocol;

/**
 * Errors of MySQL that Tributary sends to readers or expects from shards, with MySQL's names (manual, "Server Error Message Reference";
 * include/mysqld_error.h).
 */
public enum MysqlError {
    ER_CON_COUNT_ERROR(1040, "08004"),
    ER_HANDSHAKE_ERROR(1043, "08S01"),
    ER_DBACCESS_DENIED_ERROR(1044, "42000"),
    ER_ACCESS_DENIED_ERROR(1045, "28000"),
    ER_NO_DB_ERROR(1046, "3D000"),
    ER_UNKNOWN_COM_ERROR(1047, "08S01"),
    ER_BAD_DB_ERROR(1049, "42000"),
    ER_SERVER_SHUTDOWN(1053, "08S01"),
    ER_BAD_FIELD_ERROR(1054, "42S22"),
    ER_PARSE_ERROR(1064, "42000"),
    ER_EMPTY_QUERY(1065, "42000"),
    ER_NO_SUCH_THREAD(1094, "HY000"),
    ER_KILL_DENIED_ERROR(1095, "HY000"),
    ER_UNKNOWN_ERROR(1105, "HY000"),
    ER_TOO_MANY_FIELDS(1117, "HY000"),
    ER_HOST_IS_BLOCKED(1129, "HY000"),
    ER_TABLEACCESS_DENIED_ERROR(1142, "42000"),
    ER_COLUMNACCESS_DENIED_ERROR(1143, "42000"),
    ER_NO_SUCH_TABLE(1146, "42S02"),
    ER_NET_PACKET_TOO_LARGE(1153, "08S01"),
    ER_UNKNOWN_SYSTEM_VARIABLE(1193, "HY000"),
    ER_ERROR_WHEN_EXECUTING_COMMAND(1220, "HY000"),
    ER_USER_LIMIT_REACHED(1226, "42000"),
    ER_SPECIFIC_ACCESS_DENIED_ERROR(1227, "42000"),
    ER_WRONG_TYPE_FOR_VAR(1232, "42000"),
    ER_NOT_SUPPORTED_YET(1235, "42000"),
    ER_MASTER_FATAL_ERROR_READING_BINLOG(1236, "HY000"),
    ER_UNKNOWN_STMT_HANDLER(1243, "HY000"),
    ER_NOT_SUPPORTED_AUTH_MODE(1251, "08004"),
    ER_OPTION_PREVENTS_STATEMENT(1290, "HY000"),
    ER_TRUNCATED_WRONG_VALUE(1292, "22007"),
    ER_WARN_ALLOWED_PACKET_OVERFLOWED(1301, "HY000"),
    ER_SP_DOES_NOT_EXIST(1305, "42000"),
    ER_QUERY_INTERRUPTED(1317, "70100"),
    ER_UNKNOWN_TARGET_BINLOG(1373, "HY000"),
    ER_LOG_IN_USE(1378, "HY000"),
    ER_NO_BINARY_LOGGING(1381, "HY000"),
    ER_XAER_RMERR(1401, "XAE03"),
    ER_CONNECT_TO_FOREIGN_DATA_SOURCE(1429, "HY000"),
    ER_DATETIME_FUNCTION_OVERFLOW(1441, "22008"),
    ER_MAX_PREPARED_STMT_COUNT_REACHED(1461, "42000"),
    ER_MALFORMED_GTID_SET_SPECIFICATION(1772, "HY000"),
    ER_MALFORMED_GTID_SPECIFICATION(1774, "HY000"),
    ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION(1792, "25006"),
    ER_MALFORMED_PACKET(1835, "HY000"),
    ER_READ_ONLY_MODE(1836, "HY000"),
    ER_QUERY_TIMEOUT(3024, "HY000"),
    ER_SECURE_TRANSPORT_REQUIRED(3159, "HY000"),
    ER_CAPACITY_EXCEEDED(3170, "HY000"),
    ER_CLIENT_INTERACTION_TIMEOUT(4031, "HY000");

    private final int number;
    private final String sqlState;

    MysqlError(int number, String sqlState) {
        this.number = number;
        this.sqlState = sqlState;
    }

    /** The error number, such as 1236. */
    public int number() {
        return number;
    }

    /** The SQLSTATE, five characters. */
    public String sqlState() {
        return sqlState;
    }

    /** An ERR packet with this error. */
    public ErrPacket packet(String message) {
        return new ErrPacket(number, sqlState, message);
    }
}
