package io.tributary.changes;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A server whose binlog is read. */
final class ChangeSource implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final UUID STREAM = new UUID(1, 2);

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MysqlClient client = new MysqlClient(loop);
    private final MysqlServer server;

    ChangeSource(MysqlRelease release, String... options) {
        server = MysqlServer.start(MysqlOptions.named("source").of(release).with(options));
    }

    MysqlServer server() {
        return server;
    }

    MysqlClient client() {
        return client;
    }

    Peer peer() {
        return peer(server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    static Peer peer(int port, String user, String password) {
        return Peer.node(Endpoint.of("127.0.0.1", port, user, password), LIMIT);
    }

    /** What was executed up to now. */
    GtidSet executed() throws SQLException {
        return server.release().isMariadb() ? GtidSet.parse("") : GtidSet.parse(server.gtidExecuted());
    }

    ReadRows read(GtidSet after) throws SQLException {
        return read(after, table -> !table.schema().equals("mysql"));
    }

    /** Reads all transactions that the server has and that are not in the set. */
    ReadRows read(GtidSet after, Predicate<TableName> wanted) throws SQLException {
        ReadRows rows = new ReadRows(wanted);
        try (ServerDefinitions definitions = new ServerDefinitions(client, peer())) {
            ChangeInput input = new ChangeInput(rows, definitions);
            if (server.release().isMariadb()) {
                events(server).forEach(event -> input.event(event, 0, event.limit()));
            } else {
                follow(client, peer(), input, rows, after, executed());
            }
        }
        return rows;
    }

    /** Reads a stream from one place to another. */
    static void follow(MysqlClient client, Peer peer, ChangeInput input, ReadRows rows, GtidSet after, GtidSet to) {
        GtidSet[] read = {after};
        rows.atEnd(() -> {
            ReadTransaction last = rows.transactions.get(rows.transactions.size() - 1);
            read[0] = read[0].union(GtidSet.parse(last.begin().gtid().toString()));
            if (read[0].containsAll(to)) {
                input.finish();
            }
        });
        if (!after.containsAll(to)) {
            new StreamReader(client, peer, new StreamReader.Replica(77, new UUID(7, 7)), Clock.SYSTEM)
                    .read(input, after, () -> {});
        }
    }

    /** The events of the newest binlog file without checksums; those of MariaDB with GTIDs in MySQL's form. */
    static List<ByteBuffer> events(MysqlServer server) {
        List<Path> files = server.binlogFiles();
        List<ByteBuffer> events = new ArrayList<>();
        try (BinlogFile file = BinlogFile.open(files.get(files.size() - 1))) {
            long number = 0;
            for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                if (event.type() == EventType.MARIADB_GTID_EVENT) {
                    boolean isAlone = (event.bytes().get(19 + 12) & 1) != 0;
                    add(events, ++number, isAlone);
                } else if (event.type() != EventType.FORMAT_DESCRIPTION_EVENT) {
                    events.add(event.bytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    private static void add(List<ByteBuffer> events, long number, boolean isAlone) {
        EventOrigin origin = new EventOrigin(1, 1);
        ByteBuffer gtid = ByteBuffer.allocate(GtidEvent.LENGTH);
        GtidEvent.write(gtid, 0, origin, 1, 80031);
        GtidEvent.setSid(gtid, 0, STREAM.getMostSignificantBits(), STREAM.getLeastSignificantBits());
        GtidEvent.setGno(gtid, 0, number);
        events.add(gtid);
        if (!isAlone) {
            ByteBuffer begin = ByteBuffer.allocate(QueryEvent.BEGIN_LENGTH);
            QueryEvent.writeBegin(begin, 0, origin, 1);
            events.add(begin);
        }
    }

    @Override
    public void close() {
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
