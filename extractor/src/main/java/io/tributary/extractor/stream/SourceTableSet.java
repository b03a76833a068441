package io.tributary.extractor.stream;

import io.tributary.extractor.SourceTable;

/** A map of source tables by their id: a small open-addressed table. */
final class SourceTableSet {
    private static final int START_SIZE = 64;

    private SourceTable[] slots = new SourceTable[START_SIZE];
    private int count;
    private long bytes;

    /** The table with this id; null if there is none. */
    SourceTable find(long sourceId) {
        return slots[slot(sourceId)];
    }

    /** Adds a table; it replaces a table with the same id. */
    void put(SourceTable table) {
        if (count * 2 >= slots.length) {
            grow();
        }
        int slot = slot(table.sourceId());
        SourceTable before = slots[slot];
        count += before == null ? 1 : 0;
        bytes += table.heapBytes() - (before == null ? 0 : before.heapBytes());
        slots[slot] = table;
    }

    /** Approximate size of its tables on the heap, bytes. */
    long heapBytes() {
        return bytes;
    }

    private void grow() {
        SourceTable[] old = slots;
        slots = new SourceTable[old.length * 2];
        for (SourceTable one : old) {
            if (one != null) {
                slots[slot(one.sourceId())] = one;
            }
        }
    }

    /** The slot of the id, or the free slot for it. */
    private int slot(long sourceId) {
        int mask = slots.length - 1;
        int slot = (int) sourceId & mask;
        while (slots[slot] != null && slots[slot].sourceId() != sourceId) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
