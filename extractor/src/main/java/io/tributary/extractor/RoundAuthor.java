package io.tributary.extractor;

import java.time.Duration;
import java.util.UUID;

/**
 * The writer of heartbeat rounds, as recorded on every shard in {@code tributary.writer}.
 *
 * @param id the same for all writers that may replace each other: the nodes of a cluster, or a node and its next start
 * @param place host and process, for operators
 * @param interval interval of its rounds
 */
public record RoundAuthor(UUID id, String place, Duration interval) {
    private static final int LONGEST_PLACE = 200;

    /** @throws IllegalArgumentException if the place cannot be used in a statement */
    public RoundAuthor {
        if (!place.matches("[^'\\\\\\p{Cntrl}]{0," + LONGEST_PLACE + "}")) {
            throw new IllegalArgumentException("expected host and process, found '" + place + "'");
        }
    }

    /** The author of this process. */
    public static RoundAuthor here(UUID id, Duration interval) {
        String host = System.getenv().getOrDefault("HOSTNAME", "localhost").replaceAll("[^\\w.-]", "_");
        String shown = host.substring(0, Math.min(host.length(), LONGEST_PLACE / 2));
        return new RoundAuthor(id, shown + " process " + ProcessHandle.current().pid(), interval);
    }
}
