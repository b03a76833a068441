package io.tributary.sink.json;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.RowChange;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.StreamReader;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A server and what its binlog has: the rows and statements since the last {@link #read}. */
public final class RecordedBinlog implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MysqlClient client = new MysqlClient(loop);
    private final MysqlServer server;
    private final Sql sql;
    private GtidSet read = GtidSet.EMPTY;

    /** A statement, or rows with their table. */
    public record Entry(
            ChangeTransaction transaction, ChangeStatement statement, ChangeTable table, byte[] event, long firstRow) {
        /** Begins with the rows. */
        public RowChange rows() {
            RowChange rows = new RowChange();
            rows.begin(table, ByteBuffer.wrap(event), 0, event.length);
            return rows;
        }
    }

    public RecordedBinlog(MysqlOptions options) throws SQLException {
        server = MysqlServer.start(options);
        sql = server.sql();
        sql.execute("SET time_zone = '+00:00'", "SET sql_mode = 'ALLOW_INVALID_DATES'", "CREATE DATABASE d", "USE d");
    }

    public Sql sql() {
        return sql;
    }

    /** A session on the server. */
    public SqlSession session() {
        return SqlSession.open(client, peer());
    }

    private Peer peer() {
        Endpoint endpoint = Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        return Peer.node(endpoint, Duration.ofSeconds(30));
    }

    /** What was written since the last call, with the definitions of now. */
    public List<Entry> read() throws SQLException {
        GtidSet executed =
                GtidSet.parse(sql.text("SELECT @@GLOBAL.gtid_executed").replace("\n", ""));
        List<Entry> entries = new ArrayList<>();
        if (executed.equals(read)) {
            return entries;
        }
        Sid sid = executed.sids().get(0);
        Peer peer = peer();
        Recorder recorder = new Recorder(entries, new Gtid(sid, executed.last(sid)));
        try (ServerDefinitions definitions = new ServerDefinitions(client, peer)) {
            ChangeInput input = new ChangeInput(recorder, definitions);
            recorder.input = input;
            StreamReader.Replica replica = new StreamReader.Replica(4_000_000_007L, new UUID(7, 7));
            new StreamReader(client, peer, replica, Clock.SYSTEM).read(input, read, () -> {});
        }
        read = executed;
        return entries;
    }

    /** Keeps entries up to a transaction. */
    private static final class Recorder implements ChangeHandler {
        private final List<Entry> entries;
        private final Gtid last;
        private ChangeInput input;
        private ChangeTransaction transaction;
        private long row;

        private Recorder(List<Entry> entries, Gtid last) {
            this.entries = entries;
            this.last = last;
        }

        @Override
        public boolean wants(TableName table) {
            return table.schema().equals("d");
        }

        @Override
        public void begin(ChangeTransaction begun) {
            transaction = begun;
            row = 0;
        }

        @Override
        public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
            byte[] event = new byte[end - at];
            view.get(at, event);
            entries.add(new Entry(transaction, null, table, event, row));
            row += table.rows(view, at, end);
        }

        @Override
        public void statement(ChangeStatement statement) {
            entries.add(new Entry(transaction, statement, null, new byte[0], row));
        }

        @Override
        public void end(String file, long position) {
            if (transaction.gtid().equals(last)) {
                input.finish();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        sql.close();
        server.close();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
