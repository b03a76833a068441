package io.tributary.serve.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.binlog.ManualClock;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.testkit.server.MysqlServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The names of a shard are kept for two seconds, here on a clock that does not advance: changes are seen nevertheless. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class SchemaProxyTest {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    /** The names of the threads that map names. */
    private static final Set<String> MAPPERS = ConcurrentHashMap.newKeySet();

    private final EventExecutorGroup workers =
            new DefaultEventExecutorGroup(1, new DefaultThreadFactory("names-of-tables"));
    private MysqlServer server;
    private SchemaProxy shard;

    @BeforeAll
    void start() throws Exception {
        server = MysqlServer.start("shard");
        server.execute("CREATE DATABASE shop", "CREATE TABLE shop.orders_1 (a INT)");
        SchemaProxyConfig config = new ConfigReader(List.of(SchemaProxyConfig.class))
                .read("test", List.of(), Map.of())
                .get(SchemaProxyConfig.class);
        shard = new SchemaProxy(
                config,
                () -> Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                new LogicalNames(
                        SchemaProxyTest::logical,
                        false,
                        Set.of("mysql", "sys", "performance_schema", "information_schema")),
                new ServeThreads(group, workers),
                new ManualClock());
    }

    @AfterAll
    void end() throws Exception {
        shard.close();
        server.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        workers.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    /** The name without the number at its end. */
    private static TableName logical(TableName physical) {
        MAPPERS.add(Thread.currentThread().getName());
        return new TableName(physical.schema(), physical.table().replaceFirst("_\\d$", ""));
    }

    private String created(String schema, String table) throws Exception {
        return shard.ask(SchemaStatements.createTable(new TableName(schema, table)))
                .get(1, TimeUnit.MINUTES)
                .rows()
                .get(0)
                .get(1);
    }

    private int refusal(String schema, String table) {
        Throwable failure = assertThrows(ExecutionException.class, () -> created(schema, table))
                .getCause();
        return ((SqlRefusal) failure).packet().code();
    }

    @Test
    void aTableCreatedAfterTheNamesWereReadIsFound() throws Exception {
        assertTrue(created("shop", "orders").contains("`a` int"));
        assertEquals(1146, refusal("shop", "items"));
        server.execute("CREATE TABLE shop.items_1 (b INT)", "CREATE DATABASE other", "CREATE TABLE other.t (c INT)");
        assertTrue(created("shop", "items").contains("`b` int"));
        assertTrue(created("other", "t").contains("`c` int"));
    }

    @Test
    void whenTheTableThatRepresentsALogicalOneIsDroppedTheNextOneDoes() throws Exception {
        server.execute("CREATE TABLE shop.bills_1 (a INT)", "CREATE TABLE shop.bills_2 (a INT, b INT)");
        assertEquals(-1, created("shop", "bills").indexOf("`b` int"));
        server.execute("DROP TABLE shop.bills_1");
        assertTrue(created("shop", "bills").contains("`b` int"));
        server.execute("DROP TABLE shop.bills_2");
        assertEquals(1146, refusal("shop", "bills"));
    }

    /** A shard may have 20,000 tables, and other readers are served on the event loop. */
    @Test
    void noEventLoopMapsTheNamesOfAllTables() throws Exception {
        assertTrue(created("shop", "orders").contains("CREATE TABLE"));
        assertFalse(MAPPERS.isEmpty());
        MAPPERS.forEach(thread -> assertTrue(thread.startsWith("names-of-tables"), thread));
    }
}
