package io.tributary.binlog.file;

/**
 * A place in the binlog of a node, independent of the bytes at it.
 *
 * @param file number of the file, from 1; 0 for before all files
 * @param offset in bytes from the file's beginning
 */
public record FileOffset(int file, long offset) implements Comparable<FileOffset> {
    /** The place before all files. */
    public static final FileOffset NONE = new FileOffset(0, 0);

    public static FileOffset of(BinlogPosition end) {
        return new FileOffset(end.file().number(), end.offset());
    }

    @Override
    public int compareTo(FileOffset other) {
        return file == other.file ? Long.compare(offset, other.offset) : Integer.compare(file, other.file);
    }

    @Override
    public String toString() {
        return String.format("%06d:%d", file, offset);
    }
}
