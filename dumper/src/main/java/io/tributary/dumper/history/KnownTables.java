package io.tributary.dumper.history;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.store.JournalMap;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables whose definitions the journal knows at one place, by their logical names. Good only while a question is answered. */
public final class KnownTables {
    /** The definition of a table in the output: {@code d}, schema and table, with a zero character behind each. */
    private static final String TABLE = "d\0";

    private final JournalMap map;
    private final Optional<Gtid> last;

    /** What is done with each table. */
    public interface Each {
        /** @param text its canonical CREATE TABLE */
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

    /** The canonical CREATE TABLE of a table; empty where it is not known. */
    public Optional<String> text(TableName name) {
        byte[] value = map.get(TABLE + name.schema() + '\0' + name.table() + '\0');
        return value == null || value.length == 0 ? Optional.empty() : Optional.of(text(value));
    }

    /** Shows each table that is known and wanted, in the order of the names' bytes. */
    public void forEach(Predicate<TableName> wanted, Each each) {
        map.forEach(TABLE, (key, value) -> {
            String[] parts = key.split("\0", -1);
            if (parts.length == 4 && value.length > 0) {
                TableName name = new TableName(parts[1], parts[2]);
                if (wanted.test(name)) {
                    each.table(name, text(value));
                }
            }
        });
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
