package io.tributary.testkit.server;

import java.sql.SQLException;

/**
 * A user that is created on a server without an entry in its binlog.
 *
 * @param plugin {@code caching_sha2_password} or {@code mysql_native_password}
 */
public record MysqlUser(String name, String password, String plugin) {
    public static final String CACHING_SHA2 = "caching_sha2_password";
    public static final String NATIVE = "mysql_native_password";

    /** The default user of the testkit for Tributary. */
    public static MysqlUser tributary() {
        return tributary(MysqlRelease.MYSQL_8_0_31);
    }

    /** As above, with the password plugin of this release. */
    public static MysqlUser tributary(MysqlRelease release) {
        return new MysqlUser("tributary", "tributary-secret", release.passwordPlugin());
    }

    /** Creates the user with the rights of Tributary on a shard: to read its binlog and all tables, and to create and write schema tributary. */
    public MysqlUser createForTributary(MysqlServer server) throws SQLException {
        String xa = server.release().isMysqlFrom(80000) ? ", XA_RECOVER_ADMIN" : "";
        return create(
                server,
                "SELECT, REPLICATION SLAVE, REPLICATION CLIENT" + xa + " ON *.*",
                "CREATE, ALTER, SELECT, INSERT, UPDATE ON tributary.*");
    }

    /** Creates the user with these rights, each in the form between GRANT and TO. */
    public MysqlUser create(MysqlServer server, String... rights) throws SQLException {
        String account = "'" + name + "'@'%'";
        String identified = server.release().isMariadb() ? "" : " WITH " + plugin;
        try (Sql sql = server.sql()) {
            sql.execute(
                    "SET sql_log_bin = 0",
                    "CREATE USER " + account + " IDENTIFIED" + identified + " BY '" + password + "'");
            for (String right : rights) {
                sql.execute("GRANT " + right + " TO " + account);
            }
        }
        return this;
    }
}
