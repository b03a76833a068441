package io.tributary.dumper.sql;

/** The error for a statement, sent as an ERR packet: MySQL's error number, SQLSTATE and a message. */
public final class SqlRefusal extends RuntimeException {
    private final int number;
    private final String state;

    public SqlRefusal(int number, String state, String message) {
        super(message);
        this.number = number;
        this.state = state;
    }

    public static SqlRefusal syntax(String near) {
        return new SqlRefusal(
                1064, "42000", "Tributary serves a binlog and does not support this statement near '" + near + "'");
    }

    public static SqlRefusal unknownVariable(String name) {
        return new SqlRefusal(1193, "HY000", "Unknown system variable '" + name + "'");
    }

    /** Error 1235: a known statement that is not supported. */
    public static SqlRefusal unsupported(String what) {
        return new SqlRefusal(1235, "42000", what);
    }

    public int number() {
        return number;
    }

    public String state() {
        return state;
    }
}
