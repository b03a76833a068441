package io.tributary.sink;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A real server whose binlog is written as messages. */
public final class SinkRig implements AutoCloseable {
    /** The time in messages. */
    public static final long BUILT = 1_700_000_000_123L;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MysqlServer server;
    private GtidSet read = GtidSet.EMPTY;
    private RowHook hook;

    /**
     * A message.
     *
     * @param what INSERT, UPDATE, DELETE, DEFINITION, STATEMENT or WATERMARK
     * @param topic to which it belongs
     * @param key null if it has none
     * @param value null if it has none
     * @param gno the number of its transaction
     */
    public record Message(String what, String topic, byte[] key, byte[] value, long gno) {}

    /** Sees each row before it is written. */
    @FunctionalInterface
    public interface RowHook {
        void row(RowFormat rows, RowChange row, RowPlace place);
    }

    public SinkRig(MysqlRelease release) {
        server = MysqlServer.start(MysqlOptions.named("sink").of(release));
    }

    public MysqlServer server() {
        return server;
    }

    /** Sets what sees each row; null for nothing. */
    public void onRow(RowHook other) {
        hook = other;
    }

    /** All that was written since this was called the last time is read and left out. */
    public void skip() throws SQLException {
        read = executed();
    }

    private GtidSet executed() throws SQLException {
        return GtidSet.parse(server.text("SELECT @@GLOBAL.gtid_executed").replace("\n", ""));
    }

    /** The messages for what was written to a schema since this or {@link #skip} was called the last time, with a watermark at the end. */
    public List<Message> read(MessageFormat format, String schema) throws SQLException {
        GtidSet end = executed();
        Messages messages = new Messages(format, schema, end, hook);
        MysqlClient client = new MysqlClient(loop);
        Peer peer = Peer.node(
                Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD), LIMIT);
        try (ServerDefinitions definitions = new ServerDefinitions(client, peer)) {
            messages.input = new ChangeInput(messages, definitions);
            StreamReader.Replica replica = new StreamReader.Replica(4711, UUID.randomUUID());
            new StreamReader(client, peer, replica, Clock.SYSTEM).read(messages.input, read, () -> {});
        }
        read = end;
        return messages.all;
    }

    /** The topic of a table. */
    public static String topic(TableName table) {
        return table.schema() + "." + table.table();
    }

    private static final class Messages implements ChangeHandler {
        private final MessageFormat format;
        private final String schema;
        private final GtidSet end;
        private final RowHook hook;
        private final List<Message> all = new ArrayList<>();
        private final Map<ChangeTable, RowFormat> tables = new HashMap<>();
        private final Set<Long> defined = new HashSet<>();
        private final RowChange change = new RowChange();
        private final RowPlace place = new RowPlace();
        private ChangeInput input;
        private ChangeTransaction transaction;
        private long row;

        Messages(MessageFormat format, String schema, GtidSet end, RowHook hook) {
            this.hook = hook;
            this.format = format;
            this.schema = schema;
            this.end = end;
        }

        @Override
        public boolean wants(TableName table) {
            return table.schema().equals(schema);
        }

        @Override
        public void begin(ChangeTransaction next) {
            transaction = next;
            row = 0;
        }

        @Override
        public void rows(ChangeTable table, ByteBuffer view, int at, int to) {
            RowFormat rows = tables.computeIfAbsent(table, of -> format.table(of, topic(of.name())));
            if (defined.add(table.version())) {
                ByteBuf value = Unpooled.buffer();
                if (format.definitionValue(value, table, place())) {
                    add("DEFINITION", topic(table.name()), null, value);
                }
            }
            change.begin(table, view, at, to);
            while (change.next()) {
                if (hook != null) {
                    hook.row(rows, change, place());
                }
                ByteBuf key = Unpooled.buffer();
                ByteBuf value = Unpooled.buffer();
                boolean hasKey = rows.key(key, change, place());
                boolean hasValue = rows.value(value, change, place());
                Operation operation = change.operation();
                add(operation.name(), topic(table.name()), hasKey ? key : null, hasValue ? value : null);
                row++;
            }
        }

        private RowPlace place() {
            return place.set(transaction, row, BUILT);
        }

        @Override
        public void statement(ChangeStatement statement) {
            boolean isOurs = statement.targets().stream()
                    .anyMatch(target -> target.schema().equals(schema));
            if (isOurs && statement.isDdl() && format.hasStatements()) {
                TableName table = statement.targets().get(0);
                ByteBuf key = Unpooled.buffer();
                ByteBuf value = Unpooled.buffer();
                boolean hasKey = format.statementKey(key, statement, table, place());
                format.statementValue(value, statement, table, place());
                add("STATEMENT", topic(table), hasKey ? key : null, value);
            }
        }

        @Override
        public void end(String file, long position) {
            if (transaction.gtid().gno() < last()) {
                return;
            }
            if (format.hasWatermarks()) {
                ByteBuf key = Unpooled.buffer();
                ByteBuf value = Unpooled.buffer();
                boolean hasKey = format.watermarkKey(key, place());
                format.watermarkValue(value, place());
                add("WATERMARK", "", hasKey ? key : null, value);
            }
            input.finish();
        }

        private long last() {
            String text = end.line();
            return Long.parseLong(text.substring(Math.max(text.lastIndexOf('-'), text.lastIndexOf(':')) + 1));
        }

        private void add(String what, String topic, ByteBuf key, ByteBuf value) {
            all.add(new Message(
                    what, topic, bytes(key), bytes(value), transaction.gtid().gno()));
        }

        private static byte[] bytes(ByteBuf part) {
            return part == null ? null : ByteBufUtil.getBytes(part);
        }
    }

    @Override
    public void close() {
        server.close();
        loop.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
    }
}
