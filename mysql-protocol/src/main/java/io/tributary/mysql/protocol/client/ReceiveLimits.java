package io.tributary.mysql.protocol.client;

/**
 * The limits of the bytes of a binlog stream in memory.
 *
 * @param queueBytes limit of the bytes that are received and not polled yet; above it the socket is not read
 * @param maxEventBytes a longer event ends the stream
 */
public record ReceiveLimits(int queueBytes, int maxEventBytes) {
    /** 8 MiB, and 1 MiB more than MySQL's longest packet. */
    public static final ReceiveLimits DEFAULT = new ReceiveLimits(8 << 20, (1 << 30) + (1 << 20));

    public ReceiveLimits {
        if (queueBytes < 1 || maxEventBytes < 1) {
            throw new IllegalArgumentException("expected limits above 0, found " + queueBytes + ", " + maxEventBytes);
        }
    }

    /** Maximum bytes to receive into one buffer, so that the limit is not exceeded by much. */
    int readBytes() {
        return Math.max(MysqlClient.LEAST_READ, Math.min(MysqlClient.MOST_READ, queueBytes / 4));
    }
}
