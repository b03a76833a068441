package io.tributary.common.gtid;

/** MySQL's text form of a GTID set (Gtid_set::add_gtid_text and to_string in sql/rpl_gtid_set.cc). */
final class GtidSetText {
    private GtidSetText() {}

    static GtidSet parse(String text) {
        GtidRanges ranges = new GtidRanges();
        GtidText in = new GtidText(text);
        skipCommas(in);
        while (!in.atEnd()) {
            parseUuid(in, ranges);
            if (!in.atEnd()) {
                in.expect(',');
            }
            skipCommas(in);
        }
        return ranges.build();
    }

    private static void parseUuid(GtidText in, GtidRanges ranges) {
        Sid sid = new Sid(in.uuid());
        in.expect(':');
        do {
            if (!in.atDigit()) {
                sid = new Sid(sid.uuid(), in.tag());
                in.expect(':');
            }
            long first = in.gno();
            long last = in.accept('-') ? in.number() : first;
            if (last >= first) {
                ranges.add(sid, first, last);
            }
        } while (in.accept(':'));
    }

    /** MySQL allows empty parts. */
    private static void skipCommas(GtidText in) {
        boolean more = true;
        while (more) {
            more = in.accept(',');
        }
    }

    static String write(GtidSet set, String separator) {
        StringBuilder text = new StringBuilder(48 * set.sources());
        for (int i = 0; i < set.sources(); i++) {
            Sid sid = set.sid(i);
            if (i > 0 && set.sid(i - 1).uuid().equals(sid.uuid())) {
                text.append(':').append(sid.tag());
            } else {
                text.append(i == 0 ? "" : separator).append(sid);
            }
            long[] bounds = set.bounds(i);
            for (int j = 0; j < bounds.length; j += 2) {
                long last = bounds[j + 1] - 1;
                text.append(':').append(bounds[j]);
                if (last > bounds[j]) {
                    text.append('-').append(last);
                }
            }
        }
        return text.toString();
    }
}
