package io.tributary.store;

import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Payloads that wait for long, by the places where they lie: some bytes each in a buffer of the caller's, in place of an object on the heap. What
 * does not lie in one piece of one segment, or is looked at, is kept as it is. For one thread.
 */
public final class PutAway {
    /** Bytes of a place. */
    public static final int PLACE_BYTES = 16;

    private final List<Segment> segments = new ArrayList<>(2);
    private final List<Payload> others = new ArrayList<>(0);

    /** Puts one away, whose handle nobody uses any more; its place is written to the target. */
    public void put(Payload payload, ByteBuffer target) {
        if (payload instanceof OneSegmentPayload one && !one.isViewed()) {
            one.writePlace(target.putInt(indexOf(one.segment())));
        } else {
            others.add(payload);
            target.putInt(-others.size()).putInt(0).putInt(0).putInt(0);
        }
    }

    /** Neighbours lie in one segment, mostly in the one of the payload before. */
    private int indexOf(Segment segment) {
        int index = segments.lastIndexOf(segment);
        if (index < 0) {
            segments.add(segment);
            index = segments.size() - 1;
        }
        return index;
    }

    /** The payload whose place is read from the source; once for each that was put. */
    public Payload take(ByteBuffer source) {
        int index = source.getInt();
        int at = source.getInt();
        int length = source.getInt();
        int events = source.getInt();
        return index < 0 ? others.get(-index - 1) : new OneSegmentPayload(segments.get(index), at, length, events);
    }

    /** How many are kept as they are. */
    public int kept() {
        return others.size();
    }
}
