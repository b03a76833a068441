package io.tributary.sink.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.testkit.server.MysqlServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables of the server are those that the stream has. */
class SnapshotTablesTest {
    private static final Gtid PLACE = Gtid.parse("a33704a8-dfee-4563-842e-5a949b0f5c98:7");

    private static MultiThreadIoEventLoopGroup loop;
    private static MysqlServer mysql;
    private static SnapshotServer server;

    @BeforeAll
    static void start() throws Exception {
        loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        mysql = MysqlServer.start("tables");
        mysql.execute(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.one (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET utf8mb4, n INT)",
                "CREATE TABLE shop.other (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET latin1, n INT)",
                "CREATE VIEW shop.view AS SELECT * FROM shop.one",
                "CREATE DATABASE tributary_seed",
                "CREATE TABLE tributary_seed.t (id INT PRIMARY KEY)");
        Endpoint endpoint = Endpoint.of(mysql.host(), mysql.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        server = SnapshotServer.open(new MysqlClient(loop), Peer.snapshot(endpoint, Duration.ofSeconds(30)));
    }

    @AfterAll
    static void end() {
        server.close();
        mysql.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static TableName shop(String table) {
        return new TableName("shop", table);
    }

    private static SnapshotTables stream(Optional<TableDefinition> definition, TableName... tables) {
        return new SnapshotTables(server, PLACE, (at, name) -> definition, Optional.of(Set.of(tables)));
    }

    private static void assertUnfit(Runnable action, String... words) {
        TributaryException found = assertThrows(TributaryException.class, action::run);
        assertEquals(ErrorCode.SINK_SNAPSHOT_UNFIT, found.code());
        for (String word : words) {
            assertTrue(found.getMessage().contains(word), () -> word + " in " + found.getMessage());
        }
    }

    @Test
    void viewsAndTablesOfTheSystemAreLeftOut() {
        assertEquals(List.of(shop("one"), shop("other")), server.tables(table -> true));
        assertEquals(List.of(shop("other")), server.tables(shop("other")::equals));
    }

    @Test
    void theSameTablesFit() {
        List<TableName> found = server.tables(table -> true);
        stream(Optional.empty(), shop("one"), shop("other"), new TableName("mysql", "user"))
                .requireAll(found, table -> true);
        TableDefinition one = server.definition(shop("one"), PLACE);
        stream(Optional.of(one), shop("one")).requireSame(one);
    }

    @Test
    void aTableThatOnlyOneOfBothHasDoesNotFit() {
        List<TableName> found = server.tables(table -> true);
        SnapshotTables more = stream(Optional.empty(), shop("one"), shop("other"), shop("third"));
        assertUnfit(() -> more.requireAll(found, table -> true), "shop.third", PLACE.toString(), "sink.tables");
        more.requireAll(found, table -> !table.equals(shop("third")));
        SnapshotTables fewer = stream(Optional.empty(), shop("one"));
        assertUnfit(() -> fewer.requireAll(found, table -> true), "shop.other", "sink.user");
    }

    @Test
    void aTableWithOtherColumnsDoesNotFit() {
        TableDefinition one = server.definition(shop("one"), PLACE);
        TableDefinition other = server.definition(shop("other"), PLACE);
        assertUnfit(
                () -> stream(Optional.of(one), shop("one")).requireSame(other),
                "v varchar(20) CHARACTER SET utf8mb4 at number 2",
                "found v varchar(20) CHARACTER SET latin1");
        TableDefinition fewer = new TableDefinition(
                one.name(), one.columns().subList(0, 2), one.keys(), one.constraints(), one.collation());
        assertUnfit(() -> stream(Optional.of(one), shop("one")).requireSame(fewer), "n int at number 3", "found none");
        assertUnfit(() -> stream(Optional.of(fewer), shop("one")).requireSame(one), "column none", "found n int");
    }

    @Test
    void aServerThatIsNoNodeIsNotCompared() {
        SnapshotTables unknown = new SnapshotTables(server, PLACE, (at, name) -> Optional.empty(), Optional.empty());
        unknown.requireAll(server.tables(table -> true), table -> true);
        unknown.requireSame(server.definition(shop("one"), PLACE));
    }
}
