package io.tributary.store;

import java.nio.ByteBuffer;

/** Cuts an appender's events into chunks for the spill; one part at a time. */
final class SpillWriter implements AutoCloseable {
    private final Spill spill;
    private final SpillKey key = new SpillKey();

    private ByteBuffer chunk;
    private int filled;
    private SpillGeneration generation;
    private long part;
    private int chunks;
    private long length;

    SpillWriter(Spill spill) {
        this.spill = spill;
    }

    /** Whether a part has been begun and not ended. */
    boolean isOpen() {
        return generation != null;
    }

    /** Appends an event from its byte {@code from} on. Its header is not split. */
    void append(EventRanges event, int from) {
        open();
        int done = from;
        while (done < event.size()) {
            int room = chunk.capacity() - filled;
            if (room == 0 || done == 0 && room < EventRanges.HEADER) {
                flush();
                continue;
            }
            int count = Math.min(room, event.size() - done);
            event.copyTo(chunk, filled, done, count);
            filled += count;
            done += count;
        }
        length += event.size() - from;
    }

    private void open() {
        if (chunk == null) {
            chunk = spill.buffers().take();
        }
        if (generation == null) {
            generation = spill.begin();
            part = spill.nextPart();
            chunks = 0;
            filled = 0;
            length = 0;
        }
    }

    private void flush() {
        if (filled > 0) {
            spill.put(generation, key.of(part, chunks), chunk.slice(0, filled));
            chunks++;
            filled = 0;
        }
    }

    /** Whether the open part should be ended, so that what follows lies in a newer generation. */
    boolean shouldEnd() {
        return spill.isFull(generation);
    }

    /** Writes what is left and ends the part. */
    Part.OnDisk end() {
        flush();
        Part.OnDisk ended = new Part.OnDisk(spill, generation, part, chunks, length);
        generation = null;
        spill.ended(ended);
        return ended;
    }

    /** Gives up the open part, if there is one. */
    void abort() {
        if (generation != null) {
            spill.abort(generation);
            generation = null;
        }
    }

    @Override
    public void close() {
        abort();
        if (chunk != null) {
            spill.buffers().putBack(chunk);
            chunk = null;
        }
    }
}
