package io.tributary.dumper.serve;

/** A statement that is answered by an ERR packet: MySQL's error number, SQLSTATE and a message. */
final class SqlRefusal extends RuntimeException {
    private final int number;
    private final String state;

    SqlRefusal(int number, String state, String message) {
        super(message);
        this.number = number;
        this.state = state;
    }

    static SqlRefusal syntax(String near) {
        return new SqlRefusal(
                1064, "42000", "Tributary serves a binlog and does not understand this statement near '" + near + "'");
    }

    static SqlRefusal unknownVariable(String name) {
        return new SqlRefusal(1193, "HY000", "Unknown system variable '" + name + "'");
    }

    int number() {
        return number;
    }

    String state() {
        return state;
    }
}
