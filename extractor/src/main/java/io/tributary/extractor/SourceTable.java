package io.tributary.extractor;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.TableRef;
import java.nio.ByteBuffer;
import java.util.List;

/** The table of one of the shard's table ids in the current file, with its table map as in the output. */
public final class SourceTable {
    /** Approximate heap of its objects, including the names, bytes. */
    private static final int OVERHEAD = 400;

    private final long sourceId;
    private final byte[] source;
    private final TableRef ref;
    private final ByteBuffer rendered;
    private final List<TableRef> alone;
    private final boolean isHeartbeat;
    private final boolean isDeleted;
    private final int markerLength;

    /** A table whose rows go into the output. */
    private SourceTable(long sourceId, byte[] source, TableRef ref, ByteBuffer rendered, boolean isDeleted) {
        this.sourceId = sourceId;
        this.source = source;
        this.ref = ref;
        this.rendered = rendered;
        this.alone = List.of(ref);
        this.isHeartbeat = false;
        this.isDeleted = isDeleted;
        this.markerLength = 0;
    }

    /** A table whose rows are left out. */
    private SourceTable(long sourceId, byte[] source, boolean isHeartbeat, int markerLength) {
        this.sourceId = sourceId;
        this.source = source;
        this.ref = null;
        this.rendered = null;
        this.alone = List.of();
        this.isHeartbeat = isHeartbeat;
        this.isDeleted = false;
        this.markerLength = markerLength;
    }

    /**
     * A table whose rows go into the output.
     *
     * @param source the event as the shard sent it, without its header
     * @param rendered the whole event as in the output; its timestamp and flags are not used
     */
    public static SourceTable kept(long sourceId, byte[] source, TableRef ref, ByteBuffer rendered) {
        return new SourceTable(sourceId, source, ref, rendered, false);
    }

    /** The same; each row that is inserted into it is a row that is deleted in the output. */
    public static SourceTable deleted(long sourceId, byte[] source, TableRef ref, ByteBuffer rendered) {
        return new SourceTable(sourceId, source, ref, rendered, true);
    }

    /** A table whose rows are left out. */
    public static SourceTable leftOut(long sourceId, byte[] source, boolean isHeartbeat) {
        return new SourceTable(sourceId, source, isHeartbeat, 0);
    }

    /**
     * The table whose rows carry TSOs; they are left out.
     *
     * @param markerLength bytes of one of its row images
     */
    public static SourceTable marker(long sourceId, byte[] source, int markerLength) {
        return new SourceTable(sourceId, source, false, markerLength);
    }

    /** Approximate size on the heap, bytes. */
    public int heapBytes() {
        return OVERHEAD + source.length + (rendered == null ? 0 : rendered.capacity());
    }

    public long sourceId() {
        return sourceId;
    }

    public boolean isKept() {
        return ref != null;
    }

    public boolean isHeartbeat() {
        return isHeartbeat;
    }

    /** Whether rows that are inserted into it are deleted in the output. */
    public boolean isDeleted() {
        return isDeleted;
    }

    public boolean isMarker() {
        return markerLength != 0;
    }

    /** Bytes of a row image of the marker table. */
    public int markerLength() {
        return markerLength;
    }

    /** The reference to the table; null if its rows are left out. */
    public TableRef ref() {
        return ref;
    }

    /** A list with only {@link #ref()}. */
    public List<TableRef> alone() {
        return alone;
    }

    /** The table map as in the output, from 0 to its limit. */
    public ByteBuffer rendered() {
        return rendered;
    }

    /** Whether a table map of the shard has the same content; its bytes without the header are from {@code from} to {@code end}. */
    public boolean matches(ByteBuffer view, int from, int end) {
        int length = end - from;
        if (length != source.length) {
            return false;
        }
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (LittleEndian.getLong(view, from + i) != LittleEndian.getLong(source, i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (view.get(from + i) != source[i]) {
                return false;
            }
        }
        return true;
    }
}
