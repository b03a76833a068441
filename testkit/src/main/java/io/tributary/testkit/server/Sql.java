package io.tributary.testkit.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One SQL session: statements as text, answers as strings. Closing it closes its connection. */
public final class Sql implements AutoCloseable {
    private final Connection connection;

    public Sql(Connection connection) {
        this.connection = connection;
    }

    /** Logs in at 127.0.0.1 with MariaDB Connector/J; one text may contain several statements. Works with MySQL 5.7 to 9.x, MariaDB and Tributary. */
    public static Sql open(int port, String user, String password) throws SQLException {
        return new Sql(connect(Machine.LOOPBACK.address(), port, user, password));
    }

    static Connection connect(String host, int port, String user, String password) throws SQLException {
        String url = "jdbc:mariadb://" + host + ":" + port
                + "/?allowPublicKeyRetrieval=true&allowMultiQueries=true&connectTimeout=10000";
        return DriverManager.getConnection(url, user, password);
    }

    public Connection connection() {
        return connection;
    }

    /** Runs statements, one after another. */
    public Sql execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
        return this;
    }

    /** The first column of the only row; fails if there is no row. Null for NULL. */
    public String text(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new SQLException("no row: " + query);
            }
            return result.getString(1);
        }
    }

    /** As {@link #text}, as a number. */
    public long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    /** All rows, each with its columns by name, in order. */
    public List<Map<String, String>> rows(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            ResultSetMetaData columns = result.getMetaData();
            List<Map<String, String>> rows = new ArrayList<>();
            while (result.next()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    row.put(columns.getColumnLabel(i), result.getString(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
