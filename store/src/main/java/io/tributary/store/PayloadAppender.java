package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts one extractor's events into the store, one payload after another. One thread uses it; the payloads that it makes
 * belong to whoever has them, on any thread.
 *
 * <p>A small transaction lies in one piece. Nothing is made for an event, one small object for a transaction.
 */
public final class PayloadAppender implements AutoCloseable {
    private final String name;
    private final SegmentPool pool;
    private final StoreMode mode;
    private final long spillTransaction;
    private final long spillEvent;
    private final Spill spill; // null in mode memory
    private final SpillWriter spillWriter; // null in mode memory
    private final EventRanges event = new EventRanges();
    private final List<Part> parts = new ArrayList<>();

    private Segment segment; // null while there is none in hand
    private int at;
    private int start;
    private int tryRewindAt;
    private long length;
    private int events;
    private boolean toDisk;

    PayloadAppender(String name, StoreConfig config, SegmentPool pool, Spill spill) {
        this.name = name;
        this.pool = pool;
        this.mode = config.mode();
        this.spillTransaction = config.spillTransaction().bytes();
        this.spillEvent = config.spillEvent().bytes();
        this.spill = spill;
        this.spillWriter = spill == null ? null : new SpillWriter(spill);
        this.toDisk = mode == StoreMode.DISK;
    }

    /**
     * Whether the next event may come. False when the spill disk's cap has been reached and memory is short too (mode memory: when
     * memory is short): reading has to wait until payload is released. An event that is appended all the same is taken.
     */
    public boolean hasRoom() {
        if (spill != null && spill.hasRoom()) {
            return true;
        }
        if (toDisk) {
            return false;
        }
        rewindIfIdle();
        return segment != null && pool.segmentSize() - at > pool.segmentSize() / 8 || pool.hasRoom();
    }

    /**
     * Appends one event to the unfinished payload: {@code headLength} bytes of {@code head}, then {@code restLength} bytes of
     * {@code rest}. The bytes are copied by absolute access; both buffers stay the caller's.
     *
     * @param headLength at least the 19 bytes of the event's header
     * @param restLength 0 or more
     * @throws TributaryException STORE_FAILED, DISK_FULL; INTERNAL when the head is shorter than a header
     */
    public void append(ByteBuffer head, int headAt, int headLength, ByteBuffer rest, int restAt, int restLength) {
        if (headLength < EventRanges.HEADER || restLength < 0 || headLength + restLength < 0) {
            throw new TributaryException(
                    ErrorCode.INTERNAL,
                    name + ": expected an event's head of 19 bytes or more, got " + headLength + " and " + restLength);
        }
        if (events == 0 && at >= tryRewindAt) {
            rewindIfIdle();
        }
        event.set(head, headAt, headLength, rest, restAt, restLength);
        int size = headLength + restLength;
        if (goesToDisk(size)) {
            appendOnDisk(0);
        } else {
            appendInMemory(size);
        }
        event.clear();
        length += size;
        events++;
    }

    private boolean goesToDisk(int size) {
        if (!toDisk && spill != null && length + size > spillTransaction) {
            toDisk = true;
        }
        return toDisk || spill != null && size > spillEvent;
    }

    private void appendOnDisk(int from) {
        endMemoryRange();
        if (spillWriter.isOpen() && spillWriter.shouldEnd()) {
            parts.add(spillWriter.end());
        }
        spillWriter.append(event, from);
    }

    private void appendInMemory(int size) {
        if (spillWriter != null && spillWriter.isOpen()) {
            parts.add(spillWriter.end());
        }
        if (segment != null && size <= pool.segmentSize() - at) {
            event.copyTo(segment.buffer(), at, 0, size);
            at += size;
        } else if (size <= pool.segmentSize() / 4) {
            appendToNextSegment(size);
        } else {
            appendOverSegments(size);
        }
    }

    /** The event begins a new segment; what there is of its transaction goes with it when that is little. */
    private void appendToNextSegment(int size) {
        Segment old = segment;
        int begun = at - start;
        boolean move = old != null && parts.isEmpty() && begun > 0 && begun <= pool.segmentSize() / 4;
        Segment next = nextSegment();
        if (next == null) {
            retireSegment();
            appendOnDisk(0);
            return;
        }
        if (move) {
            next.buffer().put(0, old.buffer(), start, begun);
            start = at;
        }
        retireSegment();
        useSegment(next);
        at = move ? begun : 0;
        event.copyTo(next.buffer(), at, 0, size);
        at += size;
    }

    /** The event is large: it fills what is left of this segment and goes on in the next. */
    private void appendOverSegments(int size) {
        int done = 0;
        while (done < size) {
            int room = segment == null ? 0 : pool.segmentSize() - at;
            if (room == 0 || done == 0 && room < EventRanges.HEADER) {
                retireSegment();
                Segment next = nextSegment();
                if (next == null) {
                    appendOnDisk(done);
                    return;
                }
                useSegment(next);
                continue;
            }
            int count = Math.min(room, size - done);
            event.copyTo(segment.buffer(), at, done, count);
            at += count;
            done += count;
        }
    }

    /** Null when memory is short: then the rest of this payload goes to disk. */
    private Segment nextSegment() {
        Segment next = pool.take();
        if (next == null && spill == null) {
            return pool.takeBeyond();
        }
        toDisk = next == null;
        return next;
    }

    private void useSegment(Segment next) {
        segment = next;
        at = 0;
        start = 0;
        tryRewindAt = rewindStep();
    }

    private void retireSegment() {
        if (segment != null) {
            endMemoryRange();
            segment.retire();
            segment = null;
            at = 0;
            start = 0;
        }
    }

    private void endMemoryRange() {
        if (at > start) {
            segment.lend();
            parts.add(new Part.InMemory(segment, start, at - start));
            start = at;
        }
    }

    /** Writes over the segment's beginning again when all that it lent has come back: it stays in the CPU's caches. */
    private void rewindIfIdle() {
        if (events > 0 || segment == null) {
            return;
        }
        if (segment.isIdle()) {
            segment.takenOut();
            useSegment(segment);
        } else {
            tryRewindAt = at + rewindStep();
        }
    }

    private int rewindStep() {
        return Math.min(256 << 10, pool.segmentSize() / 4);
    }

    /** Bytes of the unfinished payload. */
    public long length() {
        return length;
    }

    /** Events of the unfinished payload. */
    public int events() {
        return events;
    }

    /**
     * Ends the unfinished payload and hands it over; the next event begins a new one. Without events it is an empty one, which is
     * to be released as well.
     */
    public Payload finish() {
        Payload payload;
        if (parts.isEmpty() && at > start && !isOnDisk()) {
            segment.lend();
            payload = new SegmentPayload(segment, start, at - start, events);
            start = at;
        } else {
            endMemoryRange();
            if (isOnDisk()) {
                parts.add(spillWriter.end());
            }
            payload = new PartsPayload(parts.toArray(Part[]::new), length, events);
            parts.clear();
        }
        begin();
        return payload;
    }

    private boolean isOnDisk() {
        return spillWriter != null && spillWriter.isOpen();
    }

    /** Forgets the unfinished payload. */
    public void discard() {
        at = start;
        if (spillWriter != null) {
            spillWriter.abort();
        }
        parts.forEach(Part::release);
        parts.clear();
        begin();
    }

    private void begin() {
        length = 0;
        events = 0;
        toDisk = mode == StoreMode.DISK;
    }

    /** Forgets the unfinished payload and gives the segment back; payloads that were finished stay good. */
    @Override
    public void close() {
        discard();
        retireSegment();
        if (spillWriter != null) {
            spillWriter.close();
        }
    }
}
