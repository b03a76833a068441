package io.tributary.replay.stream;

import io.tributary.mysql.protocol.client.EventConsumer;

/** Receives the events of a {@link StreamReader}. */
public interface StreamInput extends EventConsumer {
    /** A stream begins, with or without checksums. A transaction of which only a part was read before is forgotten. */
    void begin(boolean withChecksums);

    /** Whether no more events are accepted. */
    boolean isAtEnd();

    /** Events read so far that are not heartbeats. */
    long events();
}
