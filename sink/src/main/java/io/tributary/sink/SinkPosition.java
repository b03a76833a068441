package io.tributary.sink;

import io.tributary.changes.ChangeTransaction;
import java.util.Optional;

/**
 * How far a sink is.
 *
 * @param read the newest transaction that was read as a whole; empty if there is none
 * @param committed the newest transaction all of whose messages are committed in Kafka; empty if there is none
 * @param oldest the first transaction that is being sent and is not committed; empty if there is none
 * @param copy how far the rows of a snapshot are sent; empty if none are being sent
 */
public record SinkPosition(
        Optional<ChangeTransaction> read,
        Optional<ChangeTransaction> committed,
        Optional<ChangeTransaction> oldest,
        Optional<CopyPlace> copy) {
    /** Nothing was read. */
    public static final SinkPosition NONE =
            new SinkPosition(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
