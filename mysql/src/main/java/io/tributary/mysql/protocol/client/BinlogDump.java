package io.tributary.mysql.protocol.client;

import io.tributary.common.gtid.GtidSet;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The parameters with which a connection to a shard becomes a replication stream.
 *
 * @param serverId Tributary's server id for the shard, 1 to 2^32-1; different from that of any other replica of the shard
 * @param uuid Tributary's UUID for the shard; a second dump with the same one ends the first
 * @param gtids the transactions that must not be sent; empty: by file and position
 * @param file name of a binlog file; empty with a GTID set, or for the shard's first file
 * @param position offset in the file, 4 or more
 * @param nonBlocking end the stream at the current end of the binlog instead of waiting for more
 * @param heartbeatPeriod the shard sends a heartbeat after a silence of this length; zero: none
 * @param queueBytes limit of the bytes that are received and not polled yet; above it the socket is not read
 * @param maxEventBytes a longer event ends the stream
 */
public record BinlogDump(
        long serverId,
        UUID uuid,
        Optional<GtidSet> gtids,
        String file,
        long position,
        boolean nonBlocking,
        Duration heartbeatPeriod,
        int queueBytes,
        int maxEventBytes) {
    /** Bytes before a file's first event. */
    public static final int FIRST_POSITION = 4;

    private static final int DEFAULT_QUEUE = 8 << 20;
    private static final int DEFAULT_MAX_EVENT = (1 << 30) + (1 << 20);
    private static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

    public BinlogDump {
        Objects.requireNonNull(uuid);
        Objects.requireNonNull(gtids);
        Objects.requireNonNull(file);
        if (serverId < 1 || serverId > 0xffffffffL) {
            throw new IllegalArgumentException("expected a server id of 1 to 2^32-1, found " + serverId);
        }
        if (position < FIRST_POSITION || (gtids.isEmpty() && position > 0xffffffffL)) {
            throw new IllegalArgumentException("expected a position of 4 to 2^32-1, found " + position);
        }
        if (heartbeatPeriod.isNegative() || queueBytes < 1 || maxEventBytes < 1) {
            throw new IllegalArgumentException("expected a heartbeat period of 0 or more and bounds above 0, found "
                    + heartbeatPeriod + ", " + queueBytes + ", " + maxEventBytes);
        }
    }

    /** Every transaction that is not in {@code gtids}, and all later ones. */
    public static BinlogDump after(GtidSet gtids, long serverId, UUID uuid) {
        return start(Optional.of(gtids), "", FIRST_POSITION, serverId, uuid);
    }

    /** From an event's position on. */
    public static BinlogDump from(String file, long position, long serverId, UUID uuid) {
        return start(Optional.empty(), file, position, serverId, uuid);
    }

    private static BinlogDump start(Optional<GtidSet> gtids, String file, long position, long serverId, UUID uuid) {
        return new BinlogDump(
                serverId, uuid, gtids, file, position, false, DEFAULT_HEARTBEAT, DEFAULT_QUEUE, DEFAULT_MAX_EVENT);
    }

    /** Maximum bytes to receive into one buffer, so that the limit is not exceeded by much. */
    public int readBytes() {
        return Math.max(MysqlClient.LEAST_READ, Math.min(MysqlClient.MOST_READ, queueBytes / 4));
    }

    /** The same, but by file and position. */
    public BinlogDump at(String otherFile, long otherPosition) {
        return new BinlogDump(
                serverId,
                uuid,
                Optional.empty(),
                otherFile,
                otherPosition,
                nonBlocking,
                heartbeatPeriod,
                queueBytes,
                maxEventBytes);
    }

    /** The same, but it ends at the current end of the binlog. */
    public BinlogDump withoutWaiting() {
        return new BinlogDump(serverId, uuid, gtids, file, position, true, heartbeatPeriod, queueBytes, maxEventBytes);
    }

    /** The same with another heartbeat period. */
    public BinlogDump withHeartbeat(Duration period) {
        return new BinlogDump(serverId, uuid, gtids, file, position, nonBlocking, period, queueBytes, maxEventBytes);
    }

    /** The same with other limits, in bytes. */
    public BinlogDump withBounds(int queue, int maxEvent) {
        return new BinlogDump(serverId, uuid, gtids, file, position, nonBlocking, heartbeatPeriod, queue, maxEvent);
    }
}
