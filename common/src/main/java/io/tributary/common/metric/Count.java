package io.tributary.common.metric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter with one writer and any number of readers; an addition costs the same as for a plain field. */
public final class Count {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Count.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** For the writer's thread only. */
    public void add(long amount) {
        VALUE.setOpaque(this, value + amount);
    }

    /** For the writer's thread only; for gauges. */
    public void set(long newValue) {
        VALUE.setOpaque(this, newValue);
    }

    /** Any thread. */
    public long value() {
        return (long) VALUE.getOpaque(this);
    }
}
