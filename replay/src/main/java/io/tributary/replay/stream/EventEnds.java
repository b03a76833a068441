package io.tributary.replay.stream;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import java.nio.ByteBuffer;

/** Finds the ends of events, before their checksums, which it verifies. For one thread. */
public final class EventEnds {
    private final Checksum checksum = new Checksum();
    private boolean hasChecksums;

    /** A dump begins; each format description event states again whether events have checksums. */
    public void begin(boolean withChecksums) {
        hasChecksums = withChecksums;
    }

    /**
     * The offset after the content of an event.
     *
     * @param length of the event with its header and its checksum, if it has one
     * @throws io.tributary.common.error.TributaryException EVENT_MALFORMED or EVENT_CHECKSUM_WRONG
     */
    public int of(ByteBuffer view, int at, int length) {
        int end = at + length;
        if (EventHeader.type(view, at) == EventType.FORMAT_DESCRIPTION_EVENT) {
            end -= Checksum.LENGTH;
            FormatDescriptionEvent.check(view, at, end);
            hasChecksums = FormatDescriptionEvent.checksumAlgorithm(view, end) == Checksum.CRC32;
        } else if (hasChecksums) {
            checksum.verify(view, at);
            end -= Checksum.LENGTH;
        }
        return end;
    }
}
