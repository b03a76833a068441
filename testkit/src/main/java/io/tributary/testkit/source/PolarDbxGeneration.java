package io.tributary.testkit.source;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** The generations of PolarDB-X data nodes, by the place where they write commit timestamps. */
public enum PolarDbxGeneration {
    /** Sequence events (80), on local transactions too. */
    SEQUENCE_EVENTS,
    /** Status variables of XA END (201, the prepare's) and XA COMMIT (200, the commit's). */
    STATUS_VARIABLES,
    /** GCN events (105) before every GTID; with a flag if the coordinator set the timestamp. */
    GCN_EVENTS;

    private static final byte[] NOTHING = {};

    /** A QUERY event's status variable with a timestamp; empty if this generation writes none. */
    byte[] variable(int code, long tso) {
        if (this != STATUS_VARIABLES) {
            return NOTHING;
        }
        ByteBuffer variable = ByteBuffer.allocate(1 + Long.BYTES);
        LittleEndian.putU8(variable, 0, code);
        LittleEndian.putLong(variable, 1, tso);
        return variable.array();
    }
}
