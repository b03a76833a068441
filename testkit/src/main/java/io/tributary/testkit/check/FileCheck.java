package io.tributary.testkit.check;

import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Checker of I11: in each file every checksum is correct, every log_pos is the end of its event (low 32 bits), the first two events
 * are FORMAT_DESCRIPTION and PREVIOUS_GTIDS, no event is incomplete, and every file except the last ends with a ROTATE that names the
 * next one (or with STOP).
 */
public final class FileCheck {
    private static final long LOW = 0xFFFFFFFFL;

    private FileCheck() {}

    /** Checks complete files. */
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

    /** Checks the files with mysqlbinlog, including each checksum. */
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
            violations.add(event.place() + ": event of type " + event.type() + ", expected " + first);
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
        String named = new String(name, StandardCharsets.UTF_8);
        if (!named.equals(next) || body.getLong(0) != 4) {
            violations.add(last.place() + " names " + named + ":" + body.getLong(0) + ", expected " + next + ":4");
        }
    }
}
