package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.LikePattern;
import io.tributary.serve.sql.SqlRefusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The answers of SHOW about one table, made from its definition. */
final class TableAnswer {
    private static final Map<String, String> COLUMN_NAMES = Map.of(
            "Field", "COLUMN_NAME",
            "Type", "COLUMN_TYPE",
            "Collation", "COLLATION_NAME",
            "Null", "IS_NULLABLE",
            "Key", "COLUMN_KEY",
            "Default", "COLUMN_DEFAULT",
            "Extra", "EXTRA",
            "Privileges", "PRIVILEGES",
            "Comment", "COLUMN_COMMENT");

    private static final List<String> SHORT = List.of("Field", "Type", "Null", "Key", "Default", "Extra");
    private static final List<String> FULL =
            List.of("Field", "Type", "Collation", "Null", "Key", "Default", "Extra", "Privileges", "Comment");

    private static final Map<String, String> INDEX_NAMES = Map.ofEntries(
            Map.entry("Table", "TABLE_NAME"),
            Map.entry("Non_unique", "NON_UNIQUE"),
            Map.entry("Key_name", "INDEX_NAME"),
            Map.entry("Seq_in_index", "SEQ_IN_INDEX"),
            Map.entry("Column_name", "COLUMN_NAME"),
            Map.entry("Collation", "COLLATION"),
            Map.entry("Cardinality", "CARDINALITY"),
            Map.entry("Sub_part", "SUB_PART"),
            Map.entry("Packed", "PACKED"),
            Map.entry("Null", "NULLABLE"),
            Map.entry("Index_type", "INDEX_TYPE"),
            Map.entry("Comment", "COMMENT"),
            Map.entry("Index_comment", "INDEX_COMMENT"),
            Map.entry("Visible", "IS_VISIBLE"),
            Map.entry("Expression", "EXPRESSION"));

    private static final List<String> INDEX = List.of(
            "Table",
            "Non_unique",
            "Key_name",
            "Seq_in_index",
            "Column_name",
            "Collation",
            "Cardinality",
            "Sub_part",
            "Packed",
            "Null",
            "Index_type",
            "Comment",
            "Index_comment",
            "Visible",
            "Expression");

    private static final List<String> NUMBERS = List.of("Non_unique", "Seq_in_index", "Cardinality", "Sub_part");

    private final TableDefinition table;
    private final TableFilter reads;

    /**
     * The answers for a reader.
     *
     * @param reads foreign keys to other tables are removed
     */
    TableAnswer(TableDefinition table, TableFilter reads) {
        this.table = table;
        this.reads = reads;
    }

    /** Whether it is one of the statements that this class answers. */
    static boolean isShown(SchemaQuestion.OfTable question) {
        return Stream.of("SHOW CREATE TABLE", "SHOW COLUMNS FROM", "SHOW FULL COLUMNS FROM", "SHOW INDEX FROM")
                .anyMatch(question.before()::equals);
    }

    TableDefinition table() {
        return table;
    }

    /**
     * The answer.
     *
     * @throws SqlRefusal 1235 for a condition with WHERE, which only a shard can evaluate
     */
    ResultSet answer(SchemaQuestion.OfTable question) {
        if (question.condition().where() != null) {
            throw SqlRefusal.unsupported("the shard's table " + table.name()
                    + " differs from the one in the binlog: ask without WHERE, or information_schema");
        }
        Optional<String> like = Optional.ofNullable(question.condition().like());
        return switch (question.before()) {
            case "SHOW CREATE TABLE" ->
                ResultSet.of("Table", "Create Table").row(table.name().table(), createText());
            case "SHOW COLUMNS FROM" -> rows("COLUMNS", SHORT, COLUMN_NAMES, like);
            case "SHOW FULL COLUMNS FROM" -> rows("COLUMNS", FULL, COLUMN_NAMES, like);
            default -> rows("STATISTICS", INDEX, INDEX_NAMES, Optional.empty());
        };
    }

    private String createText() {
        TableName name = table.name();
        TableDefinition unqualified = new TableDefinition(
                new TableName("", name.table()),
                table.columns(),
                table.keys(),
                new TableConstraints(
                        table.foreignKeys().stream().map(this::unqualified).toList(), table.checks()),
                table.collation());
        String text = CreateTable.text(unqualified);
        return reads.isAll()
                ? text
                : new CreateTableAnswer(text, name.schema(), name, UnaryOperator.identity(), reads).shown();
    }

    /** The foreign key as a server shows it: without the schema if it is the table's own. */
    private ForeignKey unqualified(ForeignKey key) {
        boolean isOwn = key.referenced().schema().equals(table.name().schema());
        return isOwn ? key.referencing(new TableName("", key.referenced().table())) : key;
    }

    private ResultSet rows(String view, List<String> columns, Map<String, String> names, Optional<String> like) {
        ResultSet shown = ResultSet.of(columns.stream()
                .map(name -> NUMBERS.contains(name) ? ResultSet.Column.integer(name) : ResultSet.Column.text(name))
                .toList());
        for (Map<String, Object> row : new TableRows(table).of(view)) {
            boolean isRequested = like.isEmpty()
                    || LikePattern.of(like.get())
                            .matcher(String.valueOf(row.get("COLUMN_NAME")))
                            .matches();
            if (isRequested) {
                shown.row(columns.stream()
                        .map(name -> row.get(names.get(name)))
                        .map(value -> value == null ? null : value.toString())
                        .toArray(String[]::new));
            }
        }
        return shown;
    }
}
