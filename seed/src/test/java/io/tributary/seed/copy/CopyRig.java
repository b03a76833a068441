package io.tributary.seed.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.folder.DumpFolder;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two servers, a shard and a target, with copies of the same names between them. */
final class CopyRig implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    final MysqlClient client = new MysqlClient(loop);
    final ExecutorService threads = Executors.newFixedThreadPool(4);
    final MysqlServer shard;
    final MysqlServer target;

    CopyRig() {
        this(MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_31);
    }

    CopyRig(MysqlRelease ofShard, MysqlRelease ofTarget) {
        shard = MysqlServer.start(MysqlOptions.named("shard").of(ofShard));
        target = MysqlServer.start(MysqlOptions.named("target").of(ofTarget));
    }

    Peer shardPeer() {
        return new Peer(Peer.Role.SHARD, "s1", root(shard), Duration.ofSeconds(60));
    }

    Peer targetPeer() {
        return Peer.target(root(target), Duration.ofSeconds(60));
    }

    private static Endpoint root(MysqlServer server) {
        return Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    /** Begins a seed of the target. */
    TargetWriters writers() {
        try (SqlSession control = SqlSession.open(client, targetPeer())) {
            control.run("SET SESSION sql_log_bin = 0");
            return TargetWriters.begin(client, control);
        }
    }

    Copy copy(CopyConfig config) {
        return new Copy(client, writers(), config, Clock.SYSTEM, threads);
    }

    /** Makes both databases new. */
    void newDatabase(String name) throws SQLException {
        for (MysqlServer server : List.of(shard, target)) {
            server.execute("DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name);
        }
        target.execute("DROP DATABASE IF EXISTS tributary_seed");
    }

    /** The table of the shard with itself as the only member, and made on the target. */
    LogicalTable table(TableName name) throws SQLException {
        String create;
        try (Sql sql = shard.sql()) {
            create = sql.rows("SHOW CREATE TABLE " + SqlNames.name(name)).get(0).get("Create Table");
        }
        target.execute("SET foreign_key_checks = 0; SET sql_mode = ''; USE " + SqlNames.name(name.schema()), create);
        TableDefinition definition = DefinitionReader.create(
                        create, ReadSession.of(version(), name.schema()), other -> Optional.empty())
                .orElseThrow();
        return new LogicalTable(definition, create, List.of(new ShardTable(shardPeer(), name)));
    }

    private ServerVersion version() throws SQLException {
        return ServerVersion.of(shard.text("SELECT VERSION()"));
    }

    /** Copies with so few rows per chunk. */
    void copyInChunks(LogicalTable table, int rows) {
        CopyQueue queue = new CopyQueue(1, CopyListener.NONE, List.of());
        CopyPlan plan = CopyPlan.of(table);
        MemberPart part = new MemberPart(table.members().get(0), KeyBounds.ALL, List.of(), false, Amount.NONE);
        try (TargetSession target = TargetSession.open(
                        writers(), CopyConfig.of(1), new TargetSession.Limits(new RateLimiter(Clock.SYSTEM)));
                SqlSession reader = CopySessions.shard(client, shardPeer(), "READ COMMITTED")) {
            ChunkLog.create(target.session());
            RowSink sink = new ServerTarget(target).rows(plan, part, CopyListener.NONE);
            new PartCopy(plan, part, reader, sink, queue)
                    .run(new LoadLimit(0), new PartCopy.ChunkSize(rows, 1 << 20, 1024));
        }
    }

    /** Empties the table of the target, copies into files, and loads them with the mysql client. */
    void copyThroughFiles(LogicalTable table) throws SQLException, IOException {
        target.execute("SET foreign_key_checks = 0", "TRUNCATE TABLE " + SqlNames.name(table.name()));
        Path path = Files.createTempDirectory("tributary-files-");
        try {
            Copy.toFiles(client, DumpFolder.begin(path), new CopyConfig(2, 2, 0, 0, 4096), threads, new AtomicLong())
                    .copy(List.of(table), CopyListener.NONE);
            try (Stream<Path> files = Files.list(path.resolve("dump"))) {
                for (Path file : files.toList()) {
                    MysqlTools.Outcome outcome = MysqlTools.cached()
                            .load(target, file, "--init-command=SET unique_checks = 0, sql_mode = ''");
                    assertEquals(0, outcome.status(), outcome.output());
                }
            }
        } finally {
            Folders.delete(path);
        }
    }

    /** Compares the tables byte by byte. */
    void assertSame(LogicalTable table) throws SQLException {
        assertEquals(rows(shard, table), rows(target, table), table.name().toString());
        String checksum = "CHECKSUM TABLE " + SqlNames.name(table.name());
        try (Sql a = shard.sql();
                Sql b = target.sql()) {
            assertEquals(a.rows(checksum), b.rows(checksum), table.name().toString());
        }
    }

    private static List<Map<String, String>> rows(MysqlServer server, LogicalTable table) throws SQLException {
        String columns = table.definition().columns().stream()
                .map(column -> hex(column.type().name(), SqlNames.name(column.name())))
                .collect(Collectors.joining(", "));
        try (Sql sql = server.sql()) {
            sql.execute("SET time_zone = '+00:00', sql_mode = ''");
            return sql.rows("SELECT " + columns + " FROM " + SqlNames.name(table.name())).stream()
                    .sorted(Comparator.comparing(Object::toString))
                    .toList();
        }
    }

    private static String hex(String type, String name) {
        return switch (type) {
            case "float", "double" -> "CONCAT(" + name + "*1e0)";
            case "set", "enum", "bit" -> "CAST(" + name + " AS UNSIGNED)";
            case "json", "date", "time", "datetime", "timestamp", "decimal", "year" -> "HEX(CONCAT(" + name + "))";
            case "longblob" -> "SHA1(" + name + ")";
            default -> "HEX(" + name + ")";
        };
    }

    @Override
    public void close() {
        threads.shutdownNow();
        shard.close();
        target.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
