package io.tributary.store;

import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Payloads that wait for long, as addresses: some bytes for each in a buffer of the caller, in place of an object on the heap. A payload that is not
 * contiguous in one segment, or has a view, is kept unchanged. For one thread.
 */
public final class SpilledTokens {
    /** Bytes of an address. */
    public static final int PLACE_BYTES = 16;

    private final List<Segment> segments = new ArrayList<>(2);
    private final List<Payload> others = new ArrayList<>(0);

    /** Stores a payload, whose handle must not be used any more; its address is written to the target. */
    public void put(Payload payload, ByteBuffer target) {
        if (payload instanceof OneSegmentPayload one && !one.isViewed()) {
            one.writePlace(target.putInt(indexOf(one.segment())));
        } else {
            others.add(payload);
            target.putInt(-others.size()).putInt(0).putInt(0).putInt(0);
        }
    }

    /** Consecutive payloads are mostly in the same segment. */
    private int indexOf(Segment segment) {
        int index = segments.lastIndexOf(segment);
        if (index < 0) {
            segments.add(segment);
            index = segments.size() - 1;
        }
        return index;
    }

    /** The payload whose address is read from the source; to be called once for each that was put. */
    public Payload take(ByteBuffer source) {
        int index = source.getInt();
        int at = source.getInt();
        int length = source.getInt();
        int events = source.getInt();
        return index < 0 ? others.get(-index - 1) : new OneSegmentPayload(segments.get(index), at, length, events);
    }

    /** How many are kept unchanged. */
    public int kept() {
        return others.size();
    }
}
