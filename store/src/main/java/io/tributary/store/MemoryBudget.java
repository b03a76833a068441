package io.tributary.store;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How much off-heap memory the store may use: what is configured, within what the JVM gives. */
final class MemoryBudget {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);

    private MemoryBudget() {}

    /**
     * @param configured bytes; 0 = a quarter of the machine's memory (of the container's, in one), and not more than three quarters
     *     of the JVM's direct memory
     */
    static long bytes(long configured) {
        long wanted = configured == 0 ? machine() / 4 : configured;
        long most = jvmLimit() / 4 * 3; // the rest is for network buffers
        if (wanted > most && configured != 0) {
            LOG.warn(
                    "store.memory is {} bytes, but the JVM gives {} bytes of direct memory in all: using {}. Start it"
                            + " with a larger -XX:MaxDirectMemorySize to use more.",
                    wanted,
                    jvmLimit(),
                    most);
        }
        return Math.min(wanted, most);
    }

    private static long machine() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private static long jvmLimit() {
        String flag = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long limit = Long.parseLong(flag);
        return limit == 0 ? Runtime.getRuntime().maxMemory() : limit;
    }
}
