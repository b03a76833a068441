package io.tributary.testkit.source;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** Where a PolarDB-X data node writes commit timestamps, by the generation of its server. */
public enum PolarDbxGeneration {
    /** Sequence events (80), on local transactions too. */
    SEQUENCE_EVENTS,
    /** Status variables of XA END (201, the prepare's) and XA COMMIT (200, the commit's). */
    STATUS_VARIABLES,
    /** GCN events (105) in front of every GTID; flagged where the coordinator gave the timestamp. */
    GCN_EVENTS;

    private static final byte[] NOTHING = {};

    /** A QUERY event's status variable that holds a timestamp; empty where this generation writes none. */
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
