package io.tributary.extractor.rounds;

import io.tributary.common.pipeline.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The read-only shards that the writer of rounds passes over, and since when. Used by its thread. */
final class ReadOnlyShards {
    /** The rounds wait for all shards. */
    static final ReadOnlyShards NONE = new ReadOnlyShards(null, Clock.SYSTEM);

    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyShards.class);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RoundWriter.ReadOnlyListener listener;
    private final Clock clock;
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> reported = new HashSet<>();

    /** @param listener null if the rounds wait for all shards */
    ReadOnlyShards(RoundWriter.ReadOnlyListener listener, Clock clock) {
        this.listener = listener;
        this.clock = clock;
    }

    boolean isPassedOver(HeartbeatSession session) {
        return listener != null && session.isPassedOver();
    }

    /**
     * Notifies the listener of shards that have been passed over for the timeout, and of those that accept rounds again.
     *
     * @param isAny whether a shard is passed over now
     */
    void report(List<HeartbeatSession> sessions, boolean isAny) {
        if (!isAny && since.isEmpty()) {
            return;
        }
        long now = clock.nanoTime();
        for (HeartbeatSession session : sessions) {
            String shard = session.shard();
            if (session.isDone()) {
                since.remove(shard);
                if (reported.remove(shard)) {
                    listener.changed(shard, false);
                }
            } else if (isPassedOver(session)
                    && now - since.computeIfAbsent(shard, any -> now) >= TIMEOUT_NANOS
                    && reported.add(shard)) {
                LOG.warn(
                        "shard takes no rounds: shard={} reason=read-only"
                                + " effect=\"its own and distributed transactions wait, local ones of other shards"
                                + " continue\"",
                        shard);
                listener.changed(shard, true);
            }
        }
    }

    void remove(String shard) {
        since.remove(shard);
        if (reported.remove(shard)) {
            listener.changed(shard, false);
        }
    }
}
