package io.tributary.testkit.check;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Checker of I9: GTIDs are contiguous and never reused, and a file's PREVIOUS_GTIDS contains all GTIDs before the file. */
public final class GtidCheck {
    private GtidCheck() {}

    /** Checks complete files. The first file's PREVIOUS_GTIDS is accepted as it is, because older files may have been purged. */
    public static Report run(List<Path> files) throws IOException {
        Violations violations = new Violations("I9 GTIDs");
        GtidSet before = null;
        for (Path path : files) {
            GtidSet.Builder now = null;
            try (BinlogFile file = BinlogFile.open(path)) {
                for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                    if (event.type() == BinlogEvent.PREVIOUS_GTIDS) {
                        GtidSet listed = previous(event);
                        violations.checked();
                        if (before != null && !listed.equals(before)) {
                            violations.add(event.place() + " has PREVIOUS_GTIDS " + listed.line() + ", expected "
                                    + before.line());
                        }
                        now = (before == null ? listed : before).toBuilder();
                    } else if (event.type() == BinlogEvent.GTID) {
                        violations.checked();
                        add(now, event, violations);
                    }
                }
            }
            before = now == null ? before : now.build();
        }
        return violations.report();
    }

    private static GtidSet previous(BinlogEvent event) {
        ByteBuffer body = event.body();
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return GtidSet.decode(bytes);
    }

    private static void add(GtidSet.Builder set, BinlogEvent event, Violations violations) {
        if (set == null) {
            violations.add(event.place() + ": a GTID before PREVIOUS_GTIDS");
            return;
        }
        ByteBuffer body = event.body();
        ByteBuffer uuid = body.slice(1, 16);
        Gtid gtid = new Gtid(new UUID(uuid.getLong(0), uuid.getLong(8)), body.getLong(17));
        if (set.contains(gtid.sid(), gtid.gno())) {
            violations.add(event.place() + ": " + gtid + " is a duplicate");
        } else if (gtid.gno() > 1 && !set.contains(gtid.sid(), gtid.gno() - 1)) {
            violations.add(event.place() + ": " + gtid + " is not contiguous: the GTID before it is missing");
        }
        set.add(gtid.sid(), gtid.gno());
    }
}
