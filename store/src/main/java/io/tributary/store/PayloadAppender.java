package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one extractor's events into the store, one payload after another. It is used by one thread; a payload is owned by its holder, and may be
 * used by any thread.
 *
 * <p>A small transaction is contiguous. Nothing is allocated for an event, one small object for a transaction.
 */
public final class PayloadAppender implements AutoCloseable {
    private static final int REWIND_STEP = 256 << 10;

    private final String name;
    private final SegmentPool pool;
    private final StoreQuota quota;
    private final AppenderUsage usage;
    private final boolean allToDisk;
    private final long spillTransaction;
    private final long spillEvent;
    private final EventRanges event = new EventRanges();
    private final List<SegmentsPayload.Range> ranges = new ArrayList<>();

    private Segment segment; // null while there is none
    private int at;
    private int start;
    private int tryRewindAt;
    private long length;
    private int events;
    private int headless; // the range before which the head belongs
    private boolean hasHead; // of the next event

    PayloadAppender(String name, AppenderUsage usage, StoreConfig config, SegmentPool pool, StoreQuota quota) {
        this.name = name;
        this.pool = pool;
        this.quota = quota;
        this.usage = usage;
        this.allToDisk = config.mode() == StoreMode.DISK;
        this.spillTransaction = config.spill().transaction().bytes();
        this.spillEvent = config.spill().event().bytes();
    }

    /**
     * Whether the next event may be appended. False when the limit of the spill disk has been reached and memory is short too (mode memory: when
     * memory is short), when waiting tokens have filled their part of the heap, and while payload is being moved from memory to disk: then reading
     * has to wait. An event that is appended nevertheless is accepted.
     */
    public boolean hasRoom() {
        rewindIfIdle();
        boolean hasSegment = segment != null && pool.segmentSize() - at > pool.segmentSize() / 8;
        if (hasSegment && !quota.isShortOfHeap()) {
            quota.continues(usage);
            return true;
        }
        return quota.admits(usage);
    }

    /**
     * Begins an event whose bytes are in two buffers. {@link #append} follows with the rest; until then the bytes of the head must not change.
     *
     * @param headLength at least the 19 bytes of the event's header
     */
    public void beginEvent(ByteBuffer head, int headAt, int headLength) {
        event.set(head, headAt, headLength);
        hasHead = true;
    }

    /**
     * Appends one event to the unfinished payload; after {@link #beginEvent} the rest of that event. The bytes are copied by absolute access;
     * the buffers stay the caller's.
     *
     * @param eventLength bytes of the event, at least the 19 of its header; or bytes of its rest, 0 or more
     * @throws TributaryException STORE_FAILED, DISK_FULL; INTERNAL when the event or its head is shorter than a header
     */
    public void append(ByteBuffer view, int from, int eventLength) {
        int headLength = hasHead ? event.size() : eventLength;
        int restLength = hasHead ? eventLength : 0;
        if (hasHead) {
            event.add(view, from, eventLength);
            hasHead = false;
        } else {
            event.set(view, from, eventLength);
        }
        if (headLength < EventRanges.HEADER || restLength < 0 || headLength + restLength < 0) {
            throw new TributaryException(
                    ErrorCode.INTERNAL,
                    name + ": expected an event's head of 19 bytes or more, found " + headLength + " and "
                            + restLength);
        }
        if (events == 0 && at >= tryRewindAt) {
            rewindIfIdle();
        }
        int size = headLength + restLength;
        length += size;
        if (segment != null && size <= pool.segmentSize() - at) {
            event.copyTo(segment.buffer(), at, 0, size);
            at += size;
        } else if (size <= pool.segmentSize() / 4) {
            appendToNextSegment(size);
        } else {
            appendOverSegments(size);
        }
        event.clear();
        events++;
        setEagerIfLarge(size);
    }

    /**
     * Appends the bytes after the head of a large event, whose head is not known yet. {@link #appendHead} must be called before anything else is
     * appended; the bytes do not wait for it in memory.
     *
     * @throws TributaryException as {@link #append} does
     */
    public void appendHeadless(ByteBuffer rest, int restAt, int restLength) {
        endRange();
        headless = ranges.size();
        events++;
        length += restLength;
        event.set(rest, restAt, restLength);
        appendOverSegments(restLength);
        event.clear();
        setEagerIfLarge(restLength);
    }

    /** Appends the head of the event that was appended without one, at least the 19 bytes of the header; it is placed before the rest. */
    public void appendHead(ByteBuffer head, int headAt, int headLength) {
        endRange();
        if (segment == null || pool.segmentSize() - at < headLength) {
            retireSegment();
            useSegment(nextSegment());
        }
        length += headLength;
        event.set(head, headAt, headLength);
        event.copyTo(segment.buffer(), at, 0, headLength);
        event.clear();
        at += headLength;
        endRange();
        ranges.add(headless, ranges.remove(ranges.size() - 1));
        setEagerIfLarge(headLength);
    }

    private void setEagerIfLarge(int size) {
        if (length > spillTransaction || size > spillEvent) {
            segment.setEager(true);
        }
    }

    /** The event starts a new segment; the bytes of its transaction so far are moved there if they are few. */
    private void appendToNextSegment(int size) {
        Segment old = segment;
        int begun = at - start;
        boolean move = old != null && ranges.isEmpty() && begun > 0 && begun <= pool.segmentSize() / 4;
        Segment next = nextSegment();
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

    /** The event is large: it fills the rest of this segment and continues in the next. */
    private void appendOverSegments(int size) {
        int done = 0;
        while (done < size) {
            int room = segment == null ? 0 : pool.segmentSize() - at;
            if (room == 0 || done == 0 && room < EventRanges.HEADER) {
                retireSegment();
                useSegment(nextSegment());
                continue;
            }
            setEagerIfLarge(size);
            int count = Math.min(room, size - done);
            event.copyTo(segment.buffer(), at, done, count);
            at += count;
            done += count;
        }
    }

    /**
     * Makes room by moving other payload to disk if no other thread does that; if nothing can be moved, the segment is allocated above the budget.
     */
    private Segment nextSegment() {
        if (!pool.hasMover()) {
            pool.moveEager();
        }
        Segment next = pool.take(usage);
        while (next == null && pool.moveOne()) {
            next = pool.take(usage);
        }
        return next == null ? pool.takeBeyond(usage) : next;
    }

    private void useSegment(Segment next) {
        segment = next;
        segment.setEager(allToDisk);
        at = 0;
        start = 0;
        tryRewindAt = rewindStep();
    }

    private void retireSegment() {
        if (segment != null) {
            endRange();
            segment.retire(at);
            segment = null;
            at = 0;
            start = 0;
        }
    }

    private void endRange() {
        if (at > start) {
            segment.lend();
            ranges.add(new SegmentsPayload.Range(segment, start, at - start));
            start = at;
        }
    }

    /** Reuses the segment from its beginning when all of its ranges have been released: it stays in the CPU's caches. */
    private void rewindIfIdle() {
        if (events > 0 || segment == null || allToDisk) {
            return;
        }
        if (segment.isIdle()) {
            segment.rewind();
            useSegment(segment);
        } else {
            tryRewindAt = at + rewindStep();
        }
    }

    private int rewindStep() {
        return Math.min(REWIND_STEP, pool.segmentSize() / 4);
    }

    /** Bytes of the unfinished payload. */
    long length() {
        return length;
    }

    /** Events of the unfinished payload. */
    public int events() {
        return events;
    }

    /**
     * Ends the unfinished payload and returns it; the next event starts a new one. Without events the payload is empty; it must be released as well.
     */
    public Payload finish() {
        Payload payload;
        if (ranges.isEmpty() && at > start) {
            segment.lend();
            payload = new OneSegmentPayload(segment, start, at - start, events);
            start = at;
        } else {
            endRange();
            payload = new SegmentsPayload(ranges.toArray(SegmentsPayload.Range[]::new), length, events);
            ranges.clear();
        }
        begin();
        return payload;
    }

    /** Discards the unfinished payload. */
    public void discard() {
        at = start;
        ranges.forEach(range -> range.segment().giveBack());
        ranges.clear();
        begin();
    }

    private void begin() {
        length = 0;
        events = 0;
        if (segment != null) {
            segment.setEager(allToDisk); // a large payload's last bytes may stay with what follows it
        }
    }

    /** Discards the unfinished payload and releases the segment; finished payloads stay valid. */
    @Override
    public void close() {
        discard();
        retireSegment();
        quota.close(usage);
    }
}
