package io.tributary.store;

import java.nio.ByteBuffer;

/** A payload of any number of parts, in memory and on disk; none for an empty one. */
final class PartsPayload extends HeldPayload {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

    private final Part[] parts;
    private final long length;

    PartsPayload(Part[] parts, long length, int events) {
        super(events);
        this.parts = parts;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer contiguousView() {
        checkHeld();
        return parts.length == 0 ? NOTHING : null;
    }

    @Override
    public Cursor open() {
        checkHeld();
        return new Ranges();
    }

    @Override
    void giveBack() {
        for (Part part : parts) {
            part.release();
        }
    }

    private final class Ranges implements Cursor {
        private int nextPart;
        private int nextChunk;
        private SpillReader reader;

        @Override
        public ByteBuffer next() {
            if (nextPart == parts.length) {
                return null;
            }
            checkHeld();
            Part part = parts[nextPart];
            if (part instanceof Part.InMemory inMemory) {
                nextPart++;
                return inMemory.view();
            }
            Part.OnDisk onDisk = (Part.OnDisk) part;
            if (reader == null) {
                reader = new SpillReader(onDisk.spill());
            }
            ByteBuffer chunk = reader.read(onDisk, nextChunk++);
            if (nextChunk == onDisk.chunks()) {
                nextChunk = 0;
                nextPart++;
            }
            return chunk;
        }

        @Override
        public void close() {
            nextPart = parts.length;
            if (reader != null) {
                reader.close();
                reader = null;
            }
        }
    }
}
