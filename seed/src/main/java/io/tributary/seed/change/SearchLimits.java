package io.tributary.seed.change;

import java.time.Duration;

/**
 * The limits of a search.
 *
 * @param bytes of binlog files that are read: whole files, and the newest one also if it is larger; 0: there is no search
 * @param time after which it ends
 * @param rows that are searched at most
 */
public record SearchLimits(long bytes, Duration time, int rows) {
    /** Whether there is a search. */
    public boolean isOn() {
        return bytes > 0 && rows > 0;
    }
}
