package io.tributary.collector;

import io.tributary.common.value.Payload;
import io.tributary.schema.keys.KeyPlan;
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
    private KeyPlan[] plans = new KeyPlan[1];
    private int planCount;
    private boolean alone;
    private boolean separate;
    private boolean asShardsReport;

    void begin(boolean isDdl, long itsNumber, long itsLastCommitted, long itsCommitMicros) {
        ddl = isDdl;
        number = itsNumber;
        lastCommitted = itsLastCommitted;
        commitMicros = itsCommitMicros;
        branches = 0;
        payloadBytes = 0;
        payloadEvents = 0;
        planCount = 0;
        alone = isDdl;
        separate = false;
        asShardsReport = false;
    }

    /** Adds the plan of a table map of its payload. */
    void add(KeyPlan plan) {
        for (int i = 0; i < planCount; i++) {
            if (plans[i] == plan) {
                return; // several branches have rows of one table map
            }
        }
        if (planCount == plans.length) {
            plans = Arrays.copyOf(plans, 2 * planCount);
        }
        plans[planCount++] = plan;
        alone |= plan.isAlone();
        asShardsReport |= plan.dependsAsItsShardReports();
    }

    /** It depends on all transactions before it, and all after it depend on it. */
    void setAlone() {
        alone = true;
    }

    /** It, and all after it, depend on all transactions before it. */
    void setSeparate() {
        separate = true;
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

    /** The plans of its table maps; only the first {@link #planCount} of the array. */
    KeyPlan[] plans() {
        return plans;
    }

    int planCount() {
        return planCount;
    }

    boolean isAlone() {
        return alone;
    }

    boolean isSeparate() {
        return separate;
    }

    /** Whether it also depends on what its shard reports. */
    boolean dependsAsShardsReport() {
        return asShardsReport;
    }

    void setLastCommitted(long other) {
        lastCommitted = other;
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
