package io.tributary.extractor.rounds;

import io.tributary.common.config.Key;
import java.time.Duration;

/**
 * The configuration keys of heartbeat rounds.
 *
 * @param interval time between the beginnings of two rounds
 * @param min shortest time between two rounds while something waits for a round
 */
public record HeartbeatConfig(
        @Key(
                value = "heartbeat.interval",
                byDefault = "50ms",
                min = "1ms",
                about = "How often a heartbeat round begins.")
        Duration interval,

        @Key(
                value = "heartbeat.min",
                byDefault = "5ms",
                min = "1ms",
                about = "Shortest time between two heartbeat rounds while a transaction waits for one.")
        Duration min) {
    /** The default values: 50 ms and 5 ms. */
    static final HeartbeatConfig DEFAULT = new HeartbeatConfig(Duration.ofMillis(50), Duration.ofMillis(5));
}
