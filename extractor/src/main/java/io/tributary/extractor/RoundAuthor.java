package io.tributary.extractor;

import java.time.Duration;
import java.util.UUID;

/**
 * Who writes heartbeat rounds, as it stands on every shard in {@code tributary.writer}.
 *
 * @param id the same for all that may follow each other: the nodes of a cluster, or a node and its next start
 * @param place host and process, for people
 * @param interval of its rounds
 */
public record RoundAuthor(UUID id, String place, Duration interval) {
    private static final int LONGEST_PLACE = 200;

    /** @throws IllegalArgumentException when the place cannot stand in a statement */
    public RoundAuthor {
        if (!place.matches("[^'\\\\\\p{Cntrl}]{0," + LONGEST_PLACE + "}")) {
            throw new IllegalArgumentException("expected host and process, found '" + place + "'");
        }
    }

    /** This process. */
    public static RoundAuthor here(UUID id, Duration interval) {
        String host = System.getenv().getOrDefault("HOSTNAME", "localhost").replaceAll("[^\\w.-]", "_");
        String shown = host.substring(0, Math.min(host.length(), LONGEST_PLACE / 2));
        return new RoundAuthor(id, shown + " process " + ProcessHandle.current().pid(), interval);
    }
}
