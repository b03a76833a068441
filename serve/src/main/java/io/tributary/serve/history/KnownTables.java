package io.tributary.serve.history;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.store.JournalMap;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables whose definitions the journal has at one place, by their logical names. Valid only while a question is answered. */
public final class KnownTables {
    /** Prefix of the key of a table's definition: {@code d}, schema and table, with a zero character after each. */
    private static final String TABLE = "d\0";

    private final JournalMap map;
    private final Optional<Gtid> last;

    /** Receives tables. */
    public interface Each {
        /**
         * Receives a table.
         *
         * @param text its canonical CREATE TABLE
         */
        void table(TableName name, String text);
    }

    KnownTables(JournalMap map, Optional<Gtid> last) {
        this.map = map;
        this.last = last;
    }

    /** The last transaction before the place; empty for none. */
    public Optional<Gtid> last() {
        return last;
    }

    /** The canonical CREATE TABLE of a table; empty when it is not known. */
    public Optional<String> text(TableName name) {
        byte[] value = map.get(TABLE + name.schema() + '\0' + name.table() + '\0');
        return value == null || value.length == 0 ? Optional.empty() : Optional.of(text(value));
    }

    /** Passes each known and requested table, in the byte order of the names. */
    public void forEach(Predicate<TableName> requested, Each each) {
        map.forEach(TABLE, (key, value) -> {
            String[] parts = key.split("\0", -1);
            if (parts.length == 4 && value.length > 0) {
                TableName name = new TableName(parts[1], parts[2]);
                if (requested.test(name)) {
                    each.table(name, text(value));
                }
            }
        });
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
