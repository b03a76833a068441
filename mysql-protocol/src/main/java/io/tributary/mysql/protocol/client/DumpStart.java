package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.PacketDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * The commands of a replica before its dump, in MySQL's order (sql/rpl_replica.cc) or, for a MariaDB server, in MariaDB's (sql/slave.cc),
 * and the dump command itself.
 */
final class DumpStart {
    private static final int FLAG_NON_BLOCK = 1;
    /** For MySQL only: a MariaDB server sends the statements' texts (ANNOTATE_ROWS) for the same bit, a third more to read. */
    private static final int FLAG_HEARTBEAT_V2 = 2;

    private static final int UNDERSTANDS_MARIADB_GTIDS = 4;

    private final MysqlConnection connection;
    private final Channel channel;
    private final ClientChannel commands;
    private final BinlogDump dump;

    DumpStart(MysqlConnection connection, Channel channel, ClientChannel commands, BinlogDump dump) {
        this.connection = connection;
        this.channel = channel;
        this.commands = commands;
        this.dump = dump;
    }

    CompletableFuture<BinlogStream> begin() {
        long period = dump.heartbeatPeriod().toNanos();
        return connection
                .query("SET @master_heartbeat_period = " + period + ", @source_heartbeat_period = " + period)
                .thenCompose(ok -> connection.query("SET @master_binlog_checksum = @@global.binlog_checksum,"
                        + " @source_binlog_checksum = @@global.binlog_checksum"))
                .thenCompose(ok ->
                        connection.query("SET @slave_uuid = '" + dump.replica().uuid() + "', @replica_uuid = '"
                                + dump.replica().uuid() + "'"))
                .thenCompose(ok -> connection.isMariadb() ? connection.query(mariadbPosition()) : done())
                .thenCompose(ok -> commands.submit(Exchange.of(registration())))
                .thenCompose(ok -> connection.query("SELECT @source_binlog_checksum"))
                .thenApply(answer -> !answer.isEmpty()
                        && "CRC32".equalsIgnoreCase(answer.rows().get(0).text(0)))
                .thenApplyAsync(this::stream, channel.eventLoop());
    }

    /** Where a MariaDB server resumes: it has no dump command by GTID, but reads the position from a variable. */
    private String mariadbPosition() {
        String set = "SET @mariadb_slave_capability = " + UNDERSTANDS_MARIADB_GTIDS;
        return dump.start()
                .gtids()
                .map(gtids -> set + ", @slave_connect_state = '" + MariadbGtids.position(gtids)
                        + "', @slave_gtid_strict_mode = 1, @slave_gtid_ignore_duplicates = 0")
                .orElse(set);
    }

    private static CompletableFuture<QueryResult> done() {
        return CompletableFuture.completedFuture(null);
    }

    private BinlogStream stream(boolean checksummed) {
        ChunkQueue chunks = new ChunkQueue(channel, dump.limits().queueBytes());
        channel.pipeline().remove(PacketDecoder.class);
        channel.pipeline().replace(MysqlClient.COMMANDS, MysqlClient.COMMANDS, chunks);
        commands.restartSequence();
        boolean byPosition = dump.start().gtids().isEmpty() || connection.isMariadb();
        commands.send(
                byPosition ? dumpByPosition() : dumpByGtid(dump.start().gtids().get()));
        return new BinlogStream(
                chunks,
                connection.endpoint().toString(),
                checksummed,
                dump.limits().maxEventBytes());
    }

    private ByteBuf registration() {
        return channel.alloc()
                .buffer()
                .writeByte(Commands.REGISTER_SLAVE)
                .writeIntLE((int) dump.replica().serverId())
                .writeZero(3) // no host, user, password
                .writeShortLE(0) // no port
                .writeIntLE(0)
                .writeIntLE(0);
    }

    private ByteBuf dumpByGtid(GtidSet gtids) {
        byte[] set = gtids.encode();
        byte[] file = dump.start().file().getBytes(StandardCharsets.UTF_8);
        return channel.alloc()
                .buffer()
                .writeByte(Commands.BINLOG_DUMP_GTID)
                .writeShortLE(flags())
                .writeIntLE((int) dump.replica().serverId())
                .writeIntLE(file.length)
                .writeBytes(file)
                .writeLongLE(dump.start().position())
                .writeIntLE(set.length)
                .writeBytes(set);
    }

    private ByteBuf dumpByPosition() {
        return channel.alloc()
                .buffer()
                .writeByte(Commands.BINLOG_DUMP)
                .writeIntLE((int) dump.start().position())
                .writeShortLE(flags())
                .writeIntLE((int) dump.replica().serverId())
                .writeBytes(dump.start().file().getBytes(StandardCharsets.UTF_8));
    }

    private int flags() {
        return (connection.isMariadb() ? 0 : FLAG_HEARTBEAT_V2) | (dump.nonBlocking() ? FLAG_NON_BLOCK : 0);
    }
}
