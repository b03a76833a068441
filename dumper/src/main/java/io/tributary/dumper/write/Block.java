package io.tributary.dumper.write;

import io.tributary.common.value.Chunk;
import io.tributary.dumper.SparseEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot of the ring: bytes that follow each other in a file. The layout sets it up, its one patcher fills {@link #out}, the
 * writer writes that; each owns it until it has published it.
 */
final class Block {
    /** For {@link #patcher}: the bytes are ready as they are. */
    static final int NOBODY = -1;

    /** The patcher that fills it. */
    int patcher;
    /** What is to be patched; the patcher releases it and sets it to null. */
    Chunk chunk;
    /** Bytes for the file, from 0 to the limit. */
    ByteBuffer out;
    /** Whether {@link #out} goes back to the pool. */
    boolean pooled;
    /** Where the bytes begin in the file. */
    long offset;
    /** Number of the first transaction in it. */
    long gno;
    /** Number of the newest transaction before the file. */
    long gnoBefore;
    /** With the first part of a large transaction. */
    Chunk.Begin begin;
    /** Whether they end behind a cut; then {@link #gno} is that of the newest transaction before it. */
    boolean cut;
    /** Number of that cut. */
    long cutNumber;
    /** With the last bytes of a file. */
    NextFile next;

    final List<SparseEntry> entries = new ArrayList<>(0);

    void clear() {
        patcher = NOBODY;
        chunk = null;
        out = null;
        pooled = false;
        begin = null;
        cut = false;
        next = null;
        entries.clear();
    }

    void release() {
        if (chunk != null) {
            chunk.release();
            chunk = null;
        }
    }
}
