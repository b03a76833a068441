package io.tributary.mysql.protocol.client;

import io.tributary.common.gtid.GtidSet;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The parameters with which a connection to a shard becomes a replication stream.
 *
 * @param nonBlocking end the stream at the current end of the binlog instead of waiting for more
 * @param heartbeatPeriod the shard sends a heartbeat after a silence of this length; zero: none
 */
public record BinlogDump(
        ReplicaIdentity replica,
        DumpPosition start,
        boolean nonBlocking,
        Duration heartbeatPeriod,
        ReceiveLimits limits) {
    private static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

    public BinlogDump {
        Objects.requireNonNull(replica);
        Objects.requireNonNull(start);
        Objects.requireNonNull(limits);
        if (heartbeatPeriod.isNegative()) {
            throw new IllegalArgumentException("expected a heartbeat period of 0 or more, found " + heartbeatPeriod);
        }
    }

    /** Every transaction that is not in {@code gtids}, and all later ones. */
    public static BinlogDump after(GtidSet gtids, long serverId, UUID uuid) {
        DumpPosition start = new DumpPosition(Optional.of(gtids), "", DumpPosition.FIRST);
        return of(new ReplicaIdentity(serverId, uuid), start);
    }

    /** From an event's position on. */
    public static BinlogDump from(String file, long position, long serverId, UUID uuid) {
        DumpPosition start = new DumpPosition(Optional.empty(), file, position);
        return of(new ReplicaIdentity(serverId, uuid), start);
    }

    private static BinlogDump of(ReplicaIdentity replica, DumpPosition start) {
        return new BinlogDump(replica, start, false, DEFAULT_HEARTBEAT, ReceiveLimits.DEFAULT);
    }

    /** Maximum bytes to receive into one buffer. */
    public int readBytes() {
        return limits.readBytes();
    }

    /** The same, but by file and position. */
    public BinlogDump at(String file, long position) {
        DumpPosition other = new DumpPosition(Optional.empty(), file, position);
        return new BinlogDump(replica, other, nonBlocking, heartbeatPeriod, limits);
    }

    /** The same, but after another set. */
    public BinlogDump after(GtidSet gtids) {
        DumpPosition other = new DumpPosition(Optional.of(gtids), "", DumpPosition.FIRST);
        return new BinlogDump(replica, other, nonBlocking, heartbeatPeriod, limits);
    }

    /** The same, but it ends at the current end of the binlog. */
    public BinlogDump withoutWaiting() {
        return new BinlogDump(replica, start, true, heartbeatPeriod, limits);
    }

    /** The same with another heartbeat period. */
    public BinlogDump withHeartbeat(Duration period) {
        return new BinlogDump(replica, start, nonBlocking, period, limits);
    }

    /** The same with other limits, in bytes. */
    public BinlogDump withBounds(int queue, int maxEvent) {
        return new BinlogDump(replica, start, nonBlocking, heartbeatPeriod, new ReceiveLimits(queue, maxEvent));
    }
}
