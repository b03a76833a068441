package io.tributary.extractor;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which physical schemas are left out of the global binlog. Immutable. */
final class SchemaFilter {
    private final Set<String> left = new HashSet<>();

    SchemaFilter(List<String> schemas) {
        for (String schema : schemas) {
            left.add(schema.toLowerCase(Locale.ROOT));
        }
        left.add(HeartbeatTable.SCHEMA);
    }

    boolean leavesOut(String schema) {
        return left.contains(schema.toLowerCase(Locale.ROOT));
    }
}
