package io.tributary.seed.folder;

import io.tributary.schema.list.SchemaDefault;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.LogicalView;
import java.util.List;

/**
 * What a dump has beside rows.
 *
 * @param schemas those that are seeded, with their defaults
 * @param tables those with files of rows, and empty ones
 * @param views may use each other in any order
 */
public record DumpContent(List<SchemaDefault> schemas, List<LogicalTable> tables, List<LogicalView> views) {
    public DumpContent {
        schemas = List.copyOf(schemas);
        tables = List.copyOf(tables);
        views = List.copyOf(views);
    }
}
