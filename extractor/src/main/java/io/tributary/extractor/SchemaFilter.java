package io.tributary.extractor;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The filter of physical schemas that are left out of the global binlog. Immutable. */
public final class SchemaFilter {
    private final Set<String> leftOut = new HashSet<>();

    public SchemaFilter(List<String> schemas) {
        for (String schema : schemas) {
            leftOut.add(schema.toLowerCase(Locale.ROOT));
        }
        leftOut.add(HeartbeatTable.SCHEMA);
    }

    public boolean leavesOut(String schema) {
        return leftOut.contains(schema.toLowerCase(Locale.ROOT));
    }
}
