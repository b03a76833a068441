package io.tributary.common.io;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM has of direct memory: payload, network buffers and blocks on their way to files share it. */
public final class DirectMemory {
    private static final String POOL = "direct";

    private DirectMemory() {}

    /** Bytes of it in all ({@code -XX:MaxDirectMemorySize}; without it as much as the heap may have). */
    public static long limit() {
        String flag = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long limit = Long.parseLong(flag);
        return limit == 0 ? Runtime.getRuntime().maxMemory() : limit;
    }

    /** Bytes of it that are in use now. */
    public static long used() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals(POOL))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
