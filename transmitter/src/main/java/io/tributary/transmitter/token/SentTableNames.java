package io.tributary.transmitter.token;

import io.tributary.common.value.TableRef;
import io.tributary.transmit.proto.TransmitWire;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables whose physical names the receiver of a stream knows. If there are too many, both sides forget all of them at the beginning of
 * a message that has the flag {@code names_again}. The names are then sent again when they are needed.
 */
final class SentTableNames {
    /** Approximate limit of the names that the receiver keeps. */
    static final int MOST = 1 << 14;

    private static final int OVERHEAD = 16;

    private final Set<Long> named = new HashSet<>();

    /** Begins the next message; returns whether it must contain the flag that names are sent again. */
    boolean messageBegins() {
        if (named.size() <= MOST) {
            return false;
        }
        named.clear();
        return true;
    }

    /** Adds to the message the names of these tables that the receiver does not know yet. */
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

    /** The approximate number of bytes that these tables would add to the message. */
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
