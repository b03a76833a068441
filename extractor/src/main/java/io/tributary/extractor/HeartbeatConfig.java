package io.tributary.extractor;

import io.tributary.common.config.Key;
import java.time.Duration;

/**
 * The keys of heartbeat rounds.
 *
 * @param interval a round begins so often
 * @param min and at once, but not sooner than this after the last, while something waits for one
 */
public record HeartbeatConfig(
        @Key(
                value = "heartbeat.interval",
                byDefault = "50ms",
                min = "1ms",
                about = "A heartbeat round begins so often.")
        Duration interval,

        @Key(
                value = "heartbeat.min",
                byDefault = "5ms",
                min = "1ms",
                about = "Shortest time between two rounds while something waits for one.")
        Duration min) {
    /** 50 ms and 5 ms. */
    public static final HeartbeatConfig DEFAULT = new HeartbeatConfig(Duration.ofMillis(50), Duration.ofMillis(5));
}
