package io.tributary.bench.made;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The content counts of binlog files of any size, read from the first byte to the last with a check of every checksum.
 *
 * @param bytes size of all files
 * @param transactions number of GTID events
 * @param rows number of rows events
 * @param mostRows number of rows events of the transaction with the most
 */
record FileCount(long bytes, long transactions, long rows, long mostRows) {
    private static final int BUFFER = 1 << 20;

    /** Reads all files in the order of their names. */
    static FileCount of(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(file -> file.getFileName().toString().matches(".*\\.\\d{6}"))
                    .sorted()
                    .toList();
        }
        Walk walk = new Walk();
        for (Path file : files) {
            walk.read(file);
        }
        return new FileCount(walk.bytes, walk.transactions, walk.rows, walk.mostRows);
    }

    private static final class Walk {
        private final Checksum checksum = new Checksum();
        private byte[] event = new byte[64 << 10];
        private long bytes;
        private long transactions;
        private long rows;
        private long mostRows;
        private long rowsOfThis;

        void read(Path file) throws IOException {
            long left = Files.size(file) - EventHeader.FILE_MAGIC_LENGTH;
            bytes += Files.size(file);
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
                in.skipNBytes(EventHeader.FILE_MAGIC_LENGTH);
                while (left > 0) {
                    in.readFully(event, 0, EventHeader.LENGTH);
                    int size = EventHeader.size(ByteBuffer.wrap(event), 0);
                    if (event.length < size) {
                        event = java.util.Arrays.copyOf(event, size);
                    }
                    in.readFully(event, EventHeader.LENGTH, size - EventHeader.LENGTH);
                    left -= size;
                    count(ByteBuffer.wrap(event));
                }
            }
        }

        private void count(ByteBuffer view) {
            checksum.verify(view, 0);
            int type = EventHeader.type(view, 0);
            if (type == EventType.GTID_LOG_EVENT) {
                transactions++;
                rowsOfThis = 0;
            } else if (RowsEvent.isRows(type)) {
                rows++;
                mostRows = Math.max(mostRows, ++rowsOfThis);
            }
        }
    }
}
