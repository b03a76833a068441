package io.tributary.seed.folder;

import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.LogicalView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the definitions: for loaders a file each in {@code dump/}, for the mysql client all in {@code schema.sql}, and the views in {@code
 * views.sql}, because loaders make them in no order.
 */
final class DumpDefinitions {
    /** Comments of this version number are executed by all servers; loaders keep them together with the statement that follows. */
    private static final String SETTINGS = "/*!40101 SET NAMES utf8mb4 */;\n"
            + "/*!40101 SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', foreign_key_checks = 0,"
            + " time_zone = '+00:00', explicit_defaults_for_timestamp = 1, innodb_strict_mode = 0 */;\n"
            + "/*!80013 SET SESSION sql_require_primary_key = 0 */ /*!40101 */;\n"
            + "/*!80030 SET SESSION sql_generate_invisible_primary_key = 0 */ /*!40101 */;\n";

    private final DumpFolder folder;
    private final DumpContent content;

    DumpDefinitions(DumpFolder folder, DumpContent content) {
        this.folder = folder;
        this.content = content;
    }

    void write() {
        for (SchemaDefault schema : content.schemas()) {
            folder.inDump(folder.names().of(schema.schema()) + "-schema-create.sql")
                    .completeWith(create(schema));
        }
        for (LogicalTable table : content.tables()) {
            folder.inDump(folder.names().of(table.name()) + "-schema.sql")
                    .completeWith(SETTINGS + table.createStatement() + ";\n");
        }
        schema();
        views();
    }

    private static String create(SchemaDefault schema) {
        return "CREATE DATABASE IF NOT EXISTS " + SqlNames.name(schema.schema()) + " CHARACTER SET " + schema.charset()
                + " COLLATE " + schema.collation() + ";\n";
    }

    private void schema() {
        try (DumpFile file = folder.file("schema.sql")) {
            file.add("SET SESSION sql_log_bin = 0;\n").add(SETTINGS);
            content.schemas().forEach(schema -> file.add(create(schema)));
            for (LogicalTable table : content.tables()) {
                file.add("USE " + SqlNames.name(table.name().schema()) + ";\n" + table.createStatement() + ";\n");
            }
            file.complete();
        }
    }

    private void views() {
        try (DumpFile file = folder.file("views.sql")) {
            file.add("SET SESSION sql_log_bin = 0;\n").add(SETTINGS);
            for (LogicalView view : ordered(content.views())) {
                file.add("USE " + SqlNames.name(view.name().schema()) + ";\n" + view.createStatement() + ";\n");
            }
            file.complete();
        }
    }

    /** Views after those that they name. A server shows a view with the full names of what it uses. */
    static List<LogicalView> ordered(List<LogicalView> views) {
        Set<LogicalView> left = new LinkedHashSet<>(views);
        List<LogicalView> ordered = new ArrayList<>();
        while (!left.isEmpty()) {
            List<LogicalView> next = left.stream()
                    .filter(view -> left.stream().noneMatch(other -> !other.equals(view) && names(view, other)))
                    .toList();
            List<LogicalView> taken = next.isEmpty() ? List.copyOf(left) : next;
            ordered.addAll(taken);
            taken.forEach(left::remove);
        }
        return ordered;
    }

    private static boolean names(LogicalView view, LogicalView other) {
        return view.createStatement().contains(SqlNames.name(other.name()));
    }
}
