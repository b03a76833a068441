package io.tributary.dumper;

/**
 * A place in the binlog of a node, whichever bytes stand there.
 *
 * @param file number of the file, 1 up; 0 for before all files
 * @param offset bytes of it
 */
public record BinlogPlace(int file, long offset) implements Comparable<BinlogPlace> {
    /** Before everything. */
    public static final BinlogPlace NONE = new BinlogPlace(0, 0);

    public static BinlogPlace of(DurableEnd end) {
        return new BinlogPlace(end.file().number(), end.offset());
    }

    @Override
    public int compareTo(BinlogPlace other) {
        return file == other.file ? Long.compare(offset, other.offset) : Integer.compare(file, other.file);
    }

    @Override
    public String toString() {
        return String.format("%06d:%d", file, offset);
    }
}
