package io.tributary.common.io;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The JVM's direct memory, which payload, network buffers and blocks to be written to files share. */
public final class DirectMemory {
    private static final String POOL = "direct";

    private DirectMemory() {}

    /** The limit in bytes ({@code -XX:MaxDirectMemorySize}; without it the maximum size of the heap). */
    public static long limit() {
        String flag = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long limit = Long.parseLong(flag);
        return limit == 0 ? Runtime.getRuntime().maxMemory() : limit;
    }

    /** Bytes in use now. */
    public static long used() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals(POOL))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
