package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.schema.SchemaQuestion;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.schema.SchemaSource;
import io.tributary.serve.statement.NodeTables;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that few clients send, sent by MySQL's JDBC driver: change of the user on a connection, values of all types. */
@Timeout(60)
class RareCommandsTest {
    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<SchemaQuestion> asked = new ArrayList<>();
    private Dumper dumper;
    private BinlogServer server;

    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")));
        user("plain", new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0));
        user("watcher", new Grant(Set.of(Right.MONITOR), List.of(), 1, 0));
        user("far", new Grant(Set.of(Right.MONITOR), List.of(Network.parse("10.0.0.0/8")), 0, 0));
        SchemaSource schema = question -> {
            asked.add(question);
            return CompletableFuture.completedFuture(
                    ResultSet.of(List.of(ResultSet.Column.integer("id"), ResultSet.Column.text("name"))));
        };
        server = new BinlogServer(
                new ServeOptions(
                        ServeSettings.of("serve.user = reader", "serve.password = secret"),
                        ServedBinlog.DUMPS,
                        folder.resolve("serve"),
                        "8.0.36-tributary",
                        1 << 20),
                new ServedContent(
                        new ReadableFiles(dumper.files(), Archive.NONE), NodeTables.NONE, SchemaService.by(schema)),
                ServerListener.open(group, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "not yet"),
                Clock.SYSTEM,
                new Metrics());
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private void user(String name, Grant grant) {
        UserEntry entry = new UserEntry(
                name,
                new LoginMethods(Optional.of(Passwords.salted("p")), Optional.empty(), Optional.empty()),
                grant,
                TableFilter.parse(name.equals("plain") ? "shop.orders" : ""));
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put(name, entry);
            return users;
        });
    }

    private Connection connect(String user, String password, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + server.address().getPort() + "/?" + options, user, password);
    }

    private static List<String> row(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return row(statement.executeQuery(sql));
        }
    }

    private static List<String> row(java.sql.ResultSet rows) throws SQLException {
        List<String> row = new ArrayList<>();
        while (rows.next()) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                row.add(rows.getString(i));
            }
        }
        return row;
    }

    private static void change(Connection connection, String user, String password) throws SQLException {
        connection.unwrap(JdbcConnection.class).changeUser(user, password);
    }

    @Test
    void anotherUserGetsTheConnectionWithItsOwnRightsAndNoState() throws SQLException {
        for (String options : new String[] {"sslMode=REQUIRED", "sslMode=DISABLED&allowPublicKeyRetrieval=true"}) {
            try (Connection connection = connect("plain", "p", options)) {
                row(connection, "SELECT 1");
                connection.createStatement().execute("SET @mine = 'secret'");
                assertEquals(
                        1227,
                        assertThrows(SQLException.class, () -> row(connection, "SHOW PROCESSLIST"))
                                .getErrorCode());
                change(connection, "watcher", "p");
                assertTrue(row(connection, "SHOW PROCESSLIST").contains("watcher"));
                assertTrue(row(connection, "SELECT USER()").get(0).startsWith("watcher@"));
                assertEquals(java.util.Arrays.asList((String) null), row(connection, "SELECT @mine"));
                change(connection, "reader", "secret");
                change(connection, "plain", "p");
                assertEquals(
                        1227,
                        assertThrows(SQLException.class, () -> row(connection, "SHOW PROCESSLIST"))
                                .getErrorCode());
            }
        }
    }

    @Test
    void aChangeOfTheUserIsRefusedLikeALoginAndTheConnectionEnds() throws SQLException {
        try (Connection one = connect("watcher", "p", "sslMode=REQUIRED")) {
            assertFalse(row(one, "SELECT 1").isEmpty());
            for (String[] wrong : new String[][] {
                {"reader", "wrong", "1045"},
                {"reader", "", "1045"},
                {"nobody", "p", "1045"},
                {"far", "p", "1045"},
                {"watcher", "p", "1226"}
            }) {
                try (Connection connection = connect("plain", "p", "sslMode=REQUIRED")) {
                    SQLException refused =
                            assertThrows(SQLException.class, () -> change(connection, wrong[0], wrong[1]), wrong[0]);
                    assertEquals(Integer.parseInt(wrong[2]), refused.getErrorCode(), refused.toString());
                    assertThrows(SQLException.class, () -> row(connection, "SELECT USER()"));
                }
            }
            change(one, "plain", "p");
            change(one, "watcher", "p");
        }
    }

    @Test
    void preparedStatementsAcceptDatesTimesAndValuesInPieces() throws SQLException {
        String long1 = "söme 'long' \\ text\n".repeat(20_000);
        try (Connection connection =
                        connect("plain", "p", "sslMode=REQUIRED&useServerPrepStmts=true&connectionTimeZone=UTC");
                PreparedStatement statement = connection.prepareStatement("SELECT ?, ?, ?, ?, ?, ?")) {
            for (int twice = 0; twice < 2; twice++) {
                statement.setObject(1, LocalDateTime.of(2026, 11, 21, 1, 2, 3, 45_000));
                statement.setObject(2, LocalDateTime.of(2026, 1, 2, 0, 0, 0));
                statement.setObject(3, LocalDate.of(1, 2, 3));
                statement.setObject(4, java.time.Duration.ofHours(-30).minusMillis(1500));
                byte[] bytes = (twice + long1).getBytes(StandardCharsets.UTF_8);
                statement.setBinaryStream(5, new ByteArrayInputStream(bytes));
                statement.setLong(6, twice);
                List<String> row = row(statement.executeQuery());
                assertEquals(
                        List.of(
                                "2026-11-21 01:02:03.000045",
                                "2026-01-02 00:00:00",
                                "0001-02-03",
                                "-30:00:01.500000",
                                twice + long1,
                                Integer.toString(twice)),
                        row);
            }
        }
    }

    @Test
    void piecesThatAreTooLongAreRefusedAndTheSessionContinues() throws SQLException {
        try (Connection connection = connect("plain", "p", "sslMode=REQUIRED&useServerPrepStmts=true");
                PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
            statement.setBinaryStream(1, new ByteArrayInputStream(new byte[17 << 20]));
            SQLException refused = assertThrows(SQLException.class, statement::executeQuery);
            assertTrue(refused.getMessage().contains("mysql_send_long_data() is longer than"), refused.getMessage());
            statement.setBinaryStream(1, new ByteArrayInputStream("abc".getBytes(StandardCharsets.UTF_8)));
            assertEquals(List.of("abc"), row(statement.executeQuery()));
        }
    }

    @Test
    void theColumnsOfATableAreListedWithoutRows() throws Exception {
        try (WireReader reader = new WireReader(server.address().getPort())) {
            assertEquals(List.of("ERR 1046"), reader.fields("orders", ""));
            reader.query("USE shop");
            assertEquals(List.of("id:8", "name:253", "EOF"), reader.fields("orders", ""));
            assertEquals(List.of("name:253", "EOF"), reader.fields("orders", "N_me%"));
            assertEquals(
                    new SchemaQuestion.OfTable(
                            "SELECT * FROM",
                            new io.tributary.common.value.TableName("shop", "orders"),
                            new SchemaQuestion.Condition(null, "FALSE"),
                            List.of(),
                            -1),
                    asked.get(0));
            reader.query("SET @a = 1");
        }
    }
}
