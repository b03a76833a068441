package io.tributary.binlog.write;

import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.value.Chunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot of the ring: consecutive bytes of a file. The layout sets it up, its patcher fills {@link #out}, and the writer writes that.
 * Each stage owns the block until it has published it.
 */
final class Block {
    /** Value of {@link #patcher} when the bytes are ready without a patcher. */
    static final int NO_PATCHER = -1;

    /** Number of the patcher that fills the block. */
    int patcher;
    /** The chunk to patch; the patcher releases it and sets this to null. */
    Chunk chunk;
    /** The bytes for the file, from 0 to the limit. */
    ByteBuffer out;
    /** Whether {@link #out} is returned to the pool. */
    boolean pooled;
    /** Offset of the first byte in the file. */
    long offset;
    /** Number of the first transaction in the block. */
    long gno;
    /** Number of the newest transaction before the file. */
    long gnoBefore;
    /** Set with the first part of a large transaction. */
    Chunk.Begin begin;
    /** Whether the bytes end with a cut; then {@link #gno} is the number of the newest transaction before it. */
    boolean cut;
    /** Number of that cut. */
    long cutNumber;
    /** Commit time of the first transaction that begins in the block, µs since 1970; 0: none, or not known. */
    long commitMicros;
    /** Set with the last bytes of a file. */
    NextFile next;

    final List<SparseEntry> entries = new ArrayList<>(0);

    void clear() {
        patcher = NO_PATCHER;
        chunk = null;
        out = null;
        pooled = false;
        begin = null;
        cut = false;
        commitMicros = 0;
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
