package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.PacketDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What a replica says before its dump, in MySQL's order (sql/rpl_replica.cc), and the dump command itself. */
final class DumpStart {
    private static final int FLAG_NON_BLOCK = 1;
    private static final int FLAG_HEARTBEAT_V2 = 2;

    private final MysqlConnection connection;
    private final Channel channel;
    private final ClientTalk talk;
    private final BinlogDump dump;

    DumpStart(MysqlConnection connection, Channel channel, ClientTalk talk, BinlogDump dump) {
        this.connection = connection;
        this.channel = channel;
        this.talk = talk;
        this.dump = dump;
    }

    CompletableFuture<BinlogStream> begin() {
        long period = dump.heartbeatPeriod().toNanos();
        return connection
                .query("SET @master_heartbeat_period = " + period + ", @source_heartbeat_period = " + period)
                .thenCompose(ok -> connection.query("SET @master_binlog_checksum = @@global.binlog_checksum,"
                        + " @source_binlog_checksum = @@global.binlog_checksum"))
                .thenCompose(ok -> connection.query(
                        "SET @slave_uuid = '" + dump.uuid() + "', @replica_uuid = '" + dump.uuid() + "'"))
                .thenCompose(ok -> talk.submit(Exchange.of(registration())))
                .thenCompose(ok -> connection.query("SELECT @source_binlog_checksum"))
                .thenApply(answer -> !answer.isEmpty()
                        && "CRC32".equalsIgnoreCase(answer.rows().get(0).text(0)))
                .thenApplyAsync(this::stream, channel.eventLoop());
    }

    private BinlogStream stream(boolean checksummed) {
        ChunkQueue chunks = new ChunkQueue(channel, dump.queueBytes());
        channel.pipeline().remove(PacketDecoder.class);
        channel.pipeline().replace(MysqlClient.TALK, MysqlClient.TALK, chunks);
        talk.restartSequence();
        talk.send(dump.gtids().isPresent() ? dumpByGtid(dump.gtids().get()) : dumpByPosition());
        return new BinlogStream(chunks, connection.endpoint().toString(), checksummed, dump.maxEventBytes());
    }

    private ByteBuf registration() {
        return channel.alloc()
                .buffer()
                .writeByte(Commands.REGISTER_SLAVE)
                .writeIntLE((int) dump.serverId())
                .writeZero(3) // no host, user, password
                .writeShortLE(0) // no port
                .writeIntLE(0)
                .writeIntLE(0);
    }

    private ByteBuf dumpByGtid(GtidSet gtids) {
        byte[] set = gtids.encode();
        byte[] file = dump.file().getBytes(StandardCharsets.UTF_8);
        return channel.alloc()
                .buffer()
                .writeByte(Commands.BINLOG_DUMP_GTID)
                .writeShortLE(flags())
                .writeIntLE((int) dump.serverId())
                .writeIntLE(file.length)
                .writeBytes(file)
                .writeLongLE(dump.position())
                .writeIntLE(set.length)
                .writeBytes(set);
    }

    private ByteBuf dumpByPosition() {
        return channel.alloc()
                .buffer()
                .writeByte(Commands.BINLOG_DUMP)
                .writeIntLE((int) dump.position())
                .writeShortLE(flags())
                .writeIntLE((int) dump.serverId())
                .writeBytes(dump.file().getBytes(StandardCharsets.UTF_8));
    }

    private int flags() {
        return FLAG_HEARTBEAT_V2 | (dump.nonBlocking() ? FLAG_NON_BLOCK : 0);
    }
}
