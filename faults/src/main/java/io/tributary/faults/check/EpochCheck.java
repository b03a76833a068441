package io.tributary.faults.check;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.value.CutCodec;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.check.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** I13: the epochs of the cuts never decrease, so nothing was appended under an old epoch. */
final class EpochCheck {
    private static final int IGNORABLE = 28;
    private static final int HEADER = 19;
    private static final int MAGIC = 'T' | 'C' << 8 | 'U' << 16 | 'T' << 24;
    private static final int CUT_AT = HEADER + Integer.BYTES + 1;

    private final List<String> wrong = new ArrayList<>();
    private long newest;
    private long cuts;

    private EpochCheck() {}

    static Report run(List<Path> files) throws IOException {
        EpochCheck check = new EpochCheck();
        for (Path path : files) {
            try (BinlogFile file = BinlogFile.open(path)) {
                for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                    check.accept(event);
                }
            }
        }
        return new Report("I13 epochs", check.cuts, check.wrong.size(), check.wrong);
    }

    private void accept(BinlogEvent event) {
        ByteBuffer bytes = event.bytes();
        if (event.type() != IGNORABLE || bytes.limit() <= CUT_AT || bytes.getInt(HEADER) != MAGIC) {
            return;
        }
        long epoch = CutCodec.epoch(bytes.slice(CUT_AT, bytes.limit() - CUT_AT));
        cuts++;
        if (epoch < newest) {
            wrong.add(event.place() + ": a cut of epoch " + CutEpoch.text(epoch) + " after one of "
                    + CutEpoch.text(newest));
        }
        newest = Math.max(newest, epoch);
    }
}
