package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader by GTID set begins near the first transaction that it lacks. Damage in the others shows that they are not read. */
@Timeout(60)
class SkipByIndexTest {
    private static final int NON_BLOCK = 1;
    private static final int IN_ITS_MIDDLE = 600_000; // after the block in which the transaction begins

    @TempDir
    Path folder;

    private static void damage(BinlogFile file, long gno) throws Exception {
        long at = SparseIndex.of(file).stream()
                .filter(entry -> entry.gno() == gno)
                .mapToLong(SparseEntry::offset)
                .findFirst()
                .orElseThrow();
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(300_000), at + IN_ITS_MIDDLE);
        }
    }

    private static List<Long> gnos(ServedBinlog binlog, String has) throws Exception {
        List<Long> gnos = new ArrayList<>();
        try (WireReader reader = WireReader.of(binlog.port())
                .dumpGtid(
                        NON_BLOCK,
                        7,
                        "",
                        GtidSet.parse(ServedBinlog.GTIDS + has).encode())) {
            for (WireReader.Packet packet = reader.next(); !packet.isEnd(); packet = reader.next()) {
                if (packet.type() == EventType.GTID_LOG_EVENT) {
                    gnos.add(packet.gno());
                }
            }
        }
        return gnos;
    }

    @Test
    void transactionsThatAReaderHasAreNotRead() throws Exception {
        try (ServedBinlog binlog = new ServedBinlog(folder, 64 << 20, ServedBinlog.DUMPS)) {
            for (int i = 0; i < 8; i++) {
                binlog.writeLarge(12, 100_000);
            }
            damage(binlog.files().first(), 4);
            assertEquals(List.of(7L, 8L), gnos(binlog, "1-6"));
            assertEquals(List.of(3L, 8L), gnos(binlog, "1-2:4-7"));
            assertEquals(List.of(), gnos(binlog, "1-8"));
        }
    }
}
