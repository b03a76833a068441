package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.write.Dumper;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SHOW TRIBUTARY SCHEMA shows the definitions of tables as of a transaction, over real connections. */
@Timeout(60)
class ShowTributarySchemaTest {
    private static final String ORDERS =
            "CREATE TABLE `shop`.`orders` (\n  `id` int NOT NULL,\n  CONSTRAINT `f` FOREIGN KEY"
                    + " (`id`) REFERENCES `shop`.`secret` (`id`)\n)";
    private static final String ORDERS_2 = ORDERS.replace("int", "bigint");
    private static final String ORDERS_READ = ORDERS_2.substring(0, ORDERS_2.indexOf(",\n  CONSTRAINT")) + "\n)";
    private static final String SECRET = "CREATE TABLE `shop`.`secret` (\n  `id` int NOT NULL\n)";

    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private Dumper dumper;
    private BinlogServer server;

    /** Transaction 1 creates the schema, 2 and 3 a table each, 4 has rows, 5 alters the first table; 200 more follow in several files. */
    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(8000));
        ShapedStream task = new ShapedStream();
        task.ddl("", "CREATE DATABASE shop");
        dumper.put(task.batch());
        dumper.put(task.change("d\0shop\0secret\0", SECRET));
        task.ddl("shop", "CREATE TABLE secret");
        dumper.put(task.batch());
        dumper.put(task.change("d\0shop\0orders\0", ORDERS));
        task.ddl("shop", "CREATE TABLE orders");
        dumper.put(task.batch());
        task.transaction().map(1, "orders").rows(1, 20, true);
        dumper.put(task.batch());
        dumper.put(task.change("d\0shop\0orders\0", ORDERS_2));
        task.ddl("shop", "ALTER TABLE orders");
        dumper.put(task.batch());
        for (int i = 0; i < 20; i++) {
            for (int n = 0; n < 10; n++) {
                task.transaction().map(1, "orders").rows(1, 100, true);
            }
            dumper.put(task.batch());
            dumper.put(task.cut());
            dumper.run();
        }
        server = ServeSettings.serve(
                folder.resolve("serve"), dumper.files(), group, "serve.user = reader", "serve.password = secret");
        UserEntry entry = new UserEntry(
                "plain",
                new LoginMethods(Optional.of(Passwords.salted("p")), Optional.empty(), Optional.empty()),
                new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0),
                TableFilter.parse("shop.orders"));
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put("plain", entry);
            return users;
        });
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private MysqlConnection connect(String user, String password) throws Exception {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.address().getPort(), user, password);
        return new MysqlClient(group).connect(endpoint).get(20, TimeUnit.SECONDS);
    }

    private static List<List<String>> rows(MysqlConnection connection, String sql) throws Exception {
        return connection.query(sql).get(20, TimeUnit.SECONDS).rows().stream()
                .map(row -> List.of(row.text(0), row.text(1), row.text(2), row.text(3)))
                .toList();
    }

    private static MysqlServerError refused(MysqlConnection connection, String sql) {
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> rows(connection, sql));
        return assertInstanceOf(MysqlServerError.class, thrown.getCause());
    }

    private static List<String> row(String table, String text, long gno) {
        return List.of("shop", table, text, gtid(gno));
    }

    private static String gtid(long gno) {
        return BinlogSettings.UUID + ":" + gno;
    }

    private static String at(long gno) {
        return "SHOW TRIBUTARY SCHEMA AT GTID '" + gtid(gno) + "'";
    }

    @Test
    void eachTransactionHasTheDefinitionsThatItsReaderNeeds() throws Exception {
        assertTrue(dumper.files().list().size() > 2);
        MysqlConnection whole = connect("reader", "secret");
        assertEquals(
                List.of(row("orders", ORDERS_2, 205), row("secret", SECRET, 205)),
                rows(whole, "SHOW TRIBUTARY SCHEMA"));
        assertEquals(List.of(row("secret", SECRET, 205)), rows(whole, "SHOW TRIBUTARY SCHEMA LIKE 'shop.sec%'"));
        assertEquals(List.of(), rows(whole, at(1)));
        assertEquals(List.of(row("secret", SECRET, 2)), rows(whole, at(2)));
        assertEquals(List.of(row("orders", ORDERS, 4), row("secret", SECRET, 4)), rows(whole, at(4)));
        assertEquals(List.of(row("orders", ORDERS, 3)), rows(whole, at(3) + " LIKE 'shop.orders'"));
        assertEquals(List.of(row("orders", ORDERS_2, 5), row("secret", SECRET, 5)), rows(whole, at(5)));
        String set = BinlogSettings.UUID + ":1-150";
        assertEquals(
                row("orders", ORDERS_2, 150),
                rows(whole, "SHOW TRIBUTARY SCHEMA AT GTID '" + set + "'").get(0));
        whole.close();
    }

    @Test
    void aReaderSeesTheTablesThatItMayRead() throws Exception {
        MysqlConnection plain = connect("plain", "p");
        assertEquals(List.of(row("orders", ORDERS_READ, 205)), rows(plain, "SHOW TRIBUTARY SCHEMA"));
        assertEquals(List.of(), rows(plain, at(2)));
        plain.close();
    }

    @Test
    void aPurgedOrFutureTransactionIsAnError() throws Exception {
        MysqlConnection whole = connect("reader", "secret");
        assertEquals(1236, refused(whole, at(206)).errorCode());
        assertEquals(1774, refused(whole, "SHOW TRIBUTARY SCHEMA AT GTID 'x'").errorCode());
        assertEquals(1064, refused(whole, "SHOW TRIBUTARY SCHEMA AT 5").errorCode());
        var purge = whole.query(
                "PURGE BINARY LOGS TO '" + dumper.files().durableEnd().file().name() + "'");
        while (!purge.isDone()) {
            dumper.run();
        }
        purge.get();
        MysqlServerError purged = refused(whole, at(2));
        assertEquals(1236, purged.errorCode());
        assertTrue(purged.getMessage().contains("purged"), purged.getMessage());
        assertEquals(2, rows(whole, "SHOW TRIBUTARY SCHEMA").size());
        whole.close();
    }
}
