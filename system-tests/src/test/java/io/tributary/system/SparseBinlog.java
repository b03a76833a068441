package io.tributary.system;

import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.FileHead;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RowsEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Makes a binlog of many GiB that needs no room on disk: each file has one transaction, the events of which are those of a real one, except that its
 * rows event is repeated, and is 16 MiB of zeros, which the file system does not store. All checksums are right.
 */
final class SparseBinlog {
    private static final int ROWS_BYTES = 16 << 20;
    private static final int EVENTS = 64;

    private final Path folder;
    private final Sid sid;
    private final EventOrigin origin;
    private final Cut cut;
    private final Map<EventCategory, byte[]> events = new HashMap<>();
    private final Map<Long, Integer> sums = new HashMap<>();

    /** @param real a folder with a binlog whose first file has a transaction of rows */
    SparseBinlog(Path folder, Path real) throws IOException {
        this.folder = Files.createDirectories(folder);
        Files.copy(real.resolve("auto.cnf"), folder.resolve("auto.cnf"), StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(real.resolve("binlog.000001"), StandardOpenOption.READ)) {
            EventScan scan = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, channel.size());
            Cut first = null;
            while (!events.containsKey(EventCategory.COMMIT) && scan.next()) {
                if (scan.isCut() && first == null) {
                    first = CutCodec.decodeFull(scan.cut());
                    continue;
                }
                EventCategory category = EventType.category(scan.type());
                byte[] bytes = new byte[scan.viewEnd() - scan.viewAt()];
                scan.view().get(scan.viewAt(), bytes);
                if (category == EventCategory.GTID) {
                    events.clear();
                }
                events.putIfAbsent(category, bytes);
                boolean isWhole = events.containsKey(EventCategory.ROWS);
                if (category == EventCategory.COMMIT && !isWhole) {
                    events.clear();
                }
            }
            cut = first;
        }
        ByteBuffer gtid = ByteBuffer.wrap(events.get(EventCategory.GTID));
        sid = new Sid(GtidEvent.uuid(gtid, 0));
        origin = EventOrigin.of(gtid, 0);
    }

    /** Writes files of 1 GiB. */
    SparseBinlog write(int files) throws IOException {
        StringBuilder names = new StringBuilder();
        for (int i = 1; i <= files; i++) {
            String name = String.format("binlog.%06d", i);
            names.append("./").append(name).append('\n');
            try (FileChannel file =
                    FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                write(file, i, i < files ? String.format("binlog.%06d", i + 1) : "");
            }
        }
        Files.writeString(folder.resolve("binlog.index"), names);
        return this;
    }

    private void write(FileChannel file, long gno, String next) throws IOException {
        GtidSet before = gno == 1
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder().addRange(sid, 1, gno - 1).build();
        ByteBuffer head = FileHead.bytes(origin, "8.0.41", before, cut);
        long at = file.write(head.rewind(), 0);
        ByteBuffer gtid = ByteBuffer.wrap(events.get(EventCategory.GTID).clone());
        GtidEvent.setGno(gtid, 0, gno);
        at = event(file, at, gtid.array(), gtid.capacity());
        at = event(file, at, events.get(EventCategory.STATEMENT), 0);
        at = event(file, at, events.get(EventCategory.TABLE_MAP), 0);
        for (int i = 0; i < EVENTS; i++) {
            byte[] rows = events.get(EventCategory.ROWS);
            ByteBuffer start = ByteBuffer.allocate(RowsEvent.rowsAt(ByteBuffer.wrap(rows), 0));
            start.put(rows, 0, start.capacity());
            RowsEvent.setFlags(start, 0, i < EVENTS - 1 ? 0 : RowsEvent.STMT_END_F);
            at = event(file, at, start.array(), ROWS_BYTES);
        }
        at = event(file, at, events.get(EventCategory.COMMIT), 0);
        if (!next.isEmpty()) {
            file.write(FileHead.rotate(origin, next, at).rewind(), at);
        }
    }

    /** Writes the begin of an event, and its checksum after as many zeros as make this length; returns the offset after it. */
    private long event(FileChannel file, long at, byte[] begin, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(begin.clone());
        int size = Math.max(length, begin.length) + Checksum.LENGTH;
        EventHeader.setSize(bytes, 0, size);
        EventHeader.setLogPos(bytes, 0, at + size);
        int sum = length <= begin.length
                ? sum(bytes.array(), 0)
                : sums.computeIfAbsent(at, unused -> sum(bytes.array(), length - begin.length));
        ByteBuffer end = ByteBuffer.allocate(Checksum.LENGTH);
        LittleEndian.putInt(end, 0, sum);
        file.write(bytes, at);
        file.write(end, at + size - Checksum.LENGTH);
        return at + size;
    }

    private static int sum(byte[] begin, int zeros) {
        CRC32 crc = new CRC32();
        crc.update(begin);
        crc.update(new byte[zeros]);
        return (int) crc.getValue();
    }

    /** The apparent size of all files, bytes. */
    long size() throws IOException {
        long size = 0;
        try (var all = Files.list(folder)) {
            for (Path each : all.toList()) {
                size += Files.size(each);
            }
        }
        return size;
    }
}
