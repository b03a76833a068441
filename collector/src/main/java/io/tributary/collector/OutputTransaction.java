package io.tributary.collector;

import io.tributary.common.value.Payload;
import java.util.Arrays;

/** One transaction of the output, not encoded yet. It belongs to a slot of the ring and is used again. It owns its payloads. */
final class OutputTransaction {
    private Payload[] payloads = new Payload[1];
    private int branches;
    private boolean ddl;
    private long number;
    private long lastCommitted;
    private long commitMicros;
    private long payloadBytes;
    private long payloadEvents;

    void begin(boolean isDdl, long itsNumber, long itsLastCommitted, long itsCommitMicros) {
        ddl = isDdl;
        number = itsNumber;
        lastCommitted = itsLastCommitted;
        commitMicros = itsCommitMicros;
        branches = 0;
        payloadBytes = 0;
        payloadEvents = 0;
    }

    void add(Payload payload) {
        if (branches == payloads.length) {
            payloads = Arrays.copyOf(payloads, 2 * branches);
        }
        payloads[branches++] = payload;
        payloadBytes += payload.length();
        payloadEvents += payload.events();
    }

    boolean isDdl() {
        return ddl;
    }

    /** Its gno and sequence_number. */
    long number() {
        return number;
    }

    long lastCommitted() {
        return lastCommitted;
    }

    /** µs since 1970; 0 if no shard provides it. */
    long commitMicros() {
        return commitMicros;
    }

    int branches() {
        return branches;
    }

    Payload payload(int branch) {
        return payloads[branch];
    }

    long payloadBytes() {
        return payloadBytes;
    }

    long payloadEvents() {
        return payloadEvents;
    }

    /** Releases its payloads; a second call does nothing. */
    void release() {
        int held = branches;
        branches = 0;
        for (int branch = 0; branch < held; branch++) {
            Payload payload = payloads[branch];
            payloads[branch] = null;
            payload.release();
        }
    }
}
