package io.tributary.transmitter;

import io.tributary.common.value.TableRef;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables whose physical names the receiver of a stream knows. Both sides forget all of them at the beginning of a message where
 * they have become many, as the message says; then they are sent again.
 */
final class NamedTables {
    /** Of names that the receiver keeps, as good as. */
    static final int MOST = 1 << 14;

    private static final int OVERHEAD = 16;

    private final Set<Long> named = new HashSet<>();

    /** Another message begins; whether it has to say that names are sent again. */
    boolean messageBegins() {
        if (named.size() <= MOST) {
            return false;
        }
        named.clear();
        return true;
    }

    /** Adds to the message the names that the receiver needs for these tables and does not know. */
    void add(List<TableRef> tables, TransmitWire.Tokens.Builder message) {
        for (TableRef table : tables) {
            if (isMapped(table) && named.add(table.id())) {
                message.addPhysicals(TransmitWire.Physical.newBuilder()
                        .setTable(table.id())
                        .setSchema(table.physical().schema())
                        .setName(table.physical().table()));
            }
        }
    }

    /** About how many bytes these tables would add. */
    long bytes(List<TableRef> tables) {
        long bytes = 0;
        for (TableRef table : tables) {
            if (isMapped(table) && !named.contains(table.id())) {
                bytes += OVERHEAD
                        + table.physical().schema().length()
                        + table.physical().table().length();
            }
        }
        return bytes;
    }

    private static boolean isMapped(TableRef table) {
        return !table.physical().table().equals(table.table())
                || !table.physical().schema().equals(table.schema());
    }
}
