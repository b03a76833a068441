package io.tributary.seed.replay;

import io.tributary.replay.stream.StreamReader;
import java.util.Objects;
import java.util.UUID;

/**
 * The limits of a replay.
 *
 * @param sessions on the target, 1 to 64; each uses one thread
 * @param bytesInFlight maximum bytes of events in memory that have not committed on the target; a larger transaction is passed on in pieces
 * @param serverId of the replica as which the stream is read
 * @param uuid of that replica
 */
public record ReplayConfig(int sessions, long bytesInFlight, long serverId, UUID uuid) {
    private static final int MOST_SESSIONS = 64;
    private static final int HELD_PART = 4;
    private static final int LEAST_BYTES = 1 << 16;
    private static final int USUAL_SESSIONS = 4;
    private static final long USUAL_BYTES = 64 << 20;

    public ReplayConfig {
        Objects.requireNonNull(uuid);
        if (sessions < 1 || sessions > MOST_SESSIONS) {
            throw new IllegalArgumentException("expected 1 to " + MOST_SESSIONS + " sessions, found " + sessions);
        }
        if (bytesInFlight < LEAST_BYTES) {
            throw new IllegalArgumentException("expected at least 64 KiB in flight, found " + bytesInFlight);
        }
    }

    /** 4 sessions, 64 MiB. */
    public static ReplayConfig of(long serverId, UUID uuid) {
        return new ReplayConfig(USUAL_SESSIONS, USUAL_BYTES, serverId, uuid);
    }

    /** The replica as which the stream is read. */
    StreamReader.Replica replica() {
        return new StreamReader.Replica(serverId, uuid);
    }

    /** Maximum bytes of a transaction that is held as a whole. */
    long held() {
        return bytesInFlight / HELD_PART;
    }

    /** The same with another number of sessions. */
    public ReplayConfig withSessions(int other) {
        return new ReplayConfig(other, bytesInFlight, serverId, uuid);
    }
}
