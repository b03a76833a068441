package io.tributary.changes;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table whose rows are read by SELECT, in an order that a later SELECT has too, as long as the table does not change: that of its handle key, or if it has
 * none that an index can give, that in which it is stored. Immutable.
 */
public final class SelectedTable {
    private static final int TABLE_MAP_HEAD = EventHeader.LENGTH + Long.BYTES;

    private final ChangeTable table;
    private final List<SelectedColumn> columns = new ArrayList<>();
    private final TableKey key; // null without one by which rows are ordered
    private final List<Integer> keyColumns = new ArrayList<>();

    /**
     * Prepares a table.
     *
     * @param version a number that no other definition of any table has in this process
     * @throws IllegalArgumentException for a type that is not one of MySQL
     * @throws io.tributary.common.error.TributaryException REPLAY_FAILED for a character set that cannot be converted
     */
    public SelectedTable(TableDefinition definition, long version) {
        ByteBuffer head = ByteBuffer.allocate(TABLE_MAP_HEAD);
        EventHeader.setType(head, 0, EventType.TABLE_MAP_EVENT);
        byte[] body = TableMap.body(definition, new Metadata(Metadata.Kind.NONE, false, 0));
        ByteBuffer map = TableMapEvent.withBody(head, 0, new byte[0], new byte[0], body);
        TableShape shape = TableShape.of(map, 0, map.limit());
        this.table = ChangeTable.selected(definition, shape, version);
        table.columns().forEach(column -> columns.add(new SelectedColumn(column, shape)));
        this.key = ChangeTable.handleKey(definition)
                .filter(SelectedTable::givesOrder)
                .orElse(null);
        if (key != null) {
            key.parts().forEach(part -> keyColumns.add(definition.indexOf(part.column())));
        }
    }

    /** A prefix of a value does not give the order of the values, and a statement cannot name an invisible index. */
    private static boolean givesOrder(TableKey key) {
        return key.visible() && key.parts().stream().allMatch(part -> !part.isExpression() && part.prefix() == 0);
    }

    /** The statements that prepare a session in which rows are selected. */
    public static List<String> session() {
        return List.of(
                "SET NAMES utf8mb4",
                "SET SESSION character_set_results = NULL, time_zone = '+00:00', sql_mode = '', sql_select_limit = DEFAULT,"
                        + " net_write_timeout = 604800, wait_timeout = 604800",
                "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    }

    /** The table of its rows. Its JSON values are texts. */
    public ChangeTable table() {
        return table;
    }

    /** Whether rows are in the order of a key, so that {@link #select} can begin after one of them. */
    public boolean hasKey() {
        return key != null;
    }

    /**
     * The statement that reads rows.
     *
     * @param after the key of a row as literals, see {@link SelectedRows#lastKey}; empty for all rows
     */
    public String select(List<String> after) {
        String names = columns.stream().map(SelectedColumn::selected).collect(Collectors.joining(", "));
        String from = "SELECT " + names + " FROM " + SqlNames.name(table.name()) + " AS " + SelectedColumn.ALIAS;
        if (key == null) {
            return from + " USE INDEX ()";
        }
        List<String> order = new ArrayList<>();
        for (int i = 0; i < keyColumns.size(); i++) {
            order.add(column(i).ordered() + (part(i).descending() ? " DESC" : ""));
        }
        return from + " FORCE INDEX (" + SqlNames.name(key.name()) + ")"
                + (after.isEmpty() ? "" : " WHERE " + behind(after)) + " ORDER BY " + String.join(", ", order);
    }

    private SelectedColumn column(int keyPart) {
        return columns.get(keyColumns.get(keyPart));
    }

    private KeyPart part(int number) {
        return key.parts().get(number);
    }

    /** The first values are equal, and the next one is behind. */
    private String behind(List<String> after) {
        List<String> all = new ArrayList<>();
        StringBuilder equal = new StringBuilder();
        for (int i = 0; i < keyColumns.size(); i++) {
            String compared = column(i).compared();
            all.add("(" + equal + compared + (part(i).descending() ? " < " : " > ") + after.get(i) + ")");
            equal.append(compared).append(" = ").append(after.get(i)).append(" AND ");
        }
        return String.join(" OR ", all);
    }

    List<SelectedColumn> columns() {
        return columns;
    }

    /** The indexes of the columns of the key; empty without one. */
    List<Integer> keyColumns() {
        return keyColumns;
    }
}
