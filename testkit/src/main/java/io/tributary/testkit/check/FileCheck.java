package io.tributary.testkit.check;

import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * I11: in each file every checksum is right, every log_pos says where its event ends (its low 32 bits), the first two events
 * are FORMAT_DESCRIPTION and PREVIOUS_GTIDS, nothing is torn, and every file but the last ends with a ROTATE that names the
 * next one (or STOP).
 */
public final class FileCheck {
    private static final long LOW = 0xFFFFFFFFL;

    private FileCheck() {}

    /** Checks whole files. */
    public static Report run(List<Path> files) throws IOException {
        Violations violations = new Violations("I11 files");
        for (int i = 0; i < files.size(); i++) {
            String next = i + 1 < files.size() ? files.get(i + 1).getFileName().toString() : null;
            try {
                check(files.get(i), next, violations);
            } catch (BinlogDamage e) {
                violations.add(e.getMessage());
            }
        }
        return violations.report();
    }

    /** Lets mysqlbinlog check them, each checksum too. */
    public static Report runMysqlbinlog(MysqlTools tools, List<Path> files) {
        Violations violations = new Violations("I11 mysqlbinlog");
        for (Path file : files) {
            violations.checked();
            MysqlTools.Outcome outcome = tools.verifyChecksums(file);
            if (outcome.status() != 0 || outcome.output().contains("ERROR")) {
                violations.add(file.getFileName() + ": status " + outcome.status() + ", "
                        + outcome.output().strip());
            }
        }
        return violations.report();
    }

    private static void check(Path path, String next, Violations violations) throws IOException {
        BinlogEvent last = null;
        int number = 0;
        try (BinlogFile file = BinlogFile.open(path)) {
            for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                violations.checked();
                checkPlace(event, number++, violations);
                if (last != null && last.type() == BinlogEvent.ROTATE) {
                    violations.add(event.place() + ": an event of type " + event.type() + " after ROTATE");
                }
                last = event;
            }
            if (file.tornAt() >= 0) {
                violations.add(file.name() + ":" + file.tornAt() + ": an incomplete event");
            }
            if (!file.hasChecksums()) {
                violations.add(file.name() + ": its events have no checksums");
            }
        }
        if (next != null) {
            checkEnd(path, last, next, violations);
        }
    }

    private static void checkPlace(BinlogEvent event, int number, Violations violations) {
        long end = event.offset() + event.size();
        if (event.logPos() != (end & LOW)) {
            violations.add(event.place() + ": log_pos " + event.logPos() + " of an event that ends at " + end);
        }
        int first = number == 0 ? BinlogEvent.FORMAT_DESCRIPTION : BinlogEvent.PREVIOUS_GTIDS;
        if (number < 2 && event.type() != first) {
            violations.add(event.place() + ": event of type " + event.type() + " where " + first + " was expected");
        }
    }

    private static void checkEnd(Path path, BinlogEvent last, String next, Violations violations) {
        if (last != null && last.type() == BinlogEvent.STOP) {
            return;
        }
        if (last == null || last.type() != BinlogEvent.ROTATE) {
            violations.add(path.getFileName() + " does not end with ROTATE");
            return;
        }
        ByteBuffer body = last.body();
        byte[] name = new byte[body.limit() - Long.BYTES];
        body.get(Long.BYTES, name);
        String told = new String(name, StandardCharsets.UTF_8);
        if (!told.equals(next) || body.getLong(0) != 4) {
            violations.add(last.place() + " leads to " + told + ":" + body.getLong(0) + ", not to " + next + ":4");
        }
    }
}
