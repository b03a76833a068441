package io.tributary.extractor;

import io.tributary.common.pipeline.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which shards the writer of rounds passes over, and since when. For its thread. */
final class PassedOver {
    /** All shards are waited for. */
    static final PassedOver NOBODY = new PassedOver(null, Clock.SYSTEM);

    private static final Logger LOG = LoggerFactory.getLogger(PassedOver.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RoundWriter.Silenced silenced;
    private final Clock clock;
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> silent = new HashSet<>();

    /** @param silenced null where all shards are waited for */
    PassedOver(RoundWriter.Silenced silenced, Clock clock) {
        this.silenced = silenced;
        this.clock = clock;
    }

    boolean isPassedOver(HeartbeatLine line) {
        return silenced != null && line.isPassedOver();
    }

    /**
     * Tells of shards that have been passed over for long, and of those that take rounds again.
     *
     * @param isAny whether one is passed over now
     */
    void tell(List<HeartbeatLine> lines, boolean isAny) {
        if (!isAny && since.isEmpty()) {
            return;
        }
        long now = clock.nanoTime();
        for (HeartbeatLine line : lines) {
            String shard = line.shard();
            if (line.isDone()) {
                since.remove(shard);
                if (silent.remove(shard)) {
                    silenced.tell(shard, false);
                }
            } else if (isPassedOver(line)
                    && now - since.computeIfAbsent(shard, any -> now) >= PATIENCE_NANOS
                    && silent.add(shard)) {
                LOG.warn(
                        "shard {}: takes no writes and so no rounds: local transactions of the others continue; its own and distributed"
                                + " ones wait until it does",
                        shard);
                silenced.tell(shard, true);
            }
        }
    }

    void forget(String shard) {
        since.remove(shard);
        if (silent.remove(shard)) {
            silenced.tell(shard, false);
        }
    }
}
