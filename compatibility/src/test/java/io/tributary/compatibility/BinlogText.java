package io.tributary.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what mysqlbinlog and mariadb-binlog print with {@code -v} into the common form of a reading. */
final class BinlogText {
    private static final Pattern ROW = Pattern.compile("### (INSERT INTO|UPDATE|DELETE FROM) `([^`]+)`\\.`([^`]+)`");
    private static final Pattern KEY = Pattern.compile("###   @1=(.*)");
    private static final Pattern DDL = Pattern.compile("(?:CREATE|ALTER|DROP|RENAME|TRUNCATE) .*");

    private final List<String> lines = new ArrayList<>();
    private final StringBuilder row = new StringBuilder();
    private String table;
    private String key;

    private BinlogText() {}

    static List<String> lines(Iterable<String> text) {
        BinlogText reader = new BinlogText();
        text.forEach(reader::line);
        reader.endRow();
        return reader.lines;
    }

    private void line(String line) {
        Matcher begin = ROW.matcher(line);
        if (begin.matches()) {
            endRow();
            table = begin.group(2) + "." + begin.group(3);
            row.append(begin.group(1));
        } else if (line.startsWith("### ")) {
            Matcher first = KEY.matcher(line);
            if (key == null && first.matches()) {
                key = first.group(1);
            }
            row.append('\t').append(line.substring(4).strip());
        } else {
            endRow();
            if (line.startsWith("COMMIT")) {
                lines.add("T");
            } else if (DDL.matcher(line).matches()) {
                lines.add("D\t" + line.replaceAll("/\\*!\\*/;?$", ""));
            }
        }
    }

    private void endRow() {
        if (table != null) {
            lines.add("R\t" + table + "\t" + key + "\t" + row);
        }
        table = null;
        key = null;
        row.setLength(0);
    }
}
