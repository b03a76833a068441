package io.tributary.node.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * ZooKeeper's own client settings where no system property makes any: to learn what TLS's are called, ZooKeeper sets up TLS, which takes a tenth of a
 * second of each start.
 */
final class PlainClientConfig extends ZKClientConfig {
    private static final List<String> SETTINGS = List.of("zookeeper.", "jute.", "sun.security.jgss.");

    private PlainClientConfig() {}

    /**
     * Empty where ZooKeeper has to look itself.
     *
     * @param system the JVM's properties
     */
    static Optional<ZKClientConfig> where(Properties system) {
        boolean isSet = system.stringPropertyNames().stream()
                .anyMatch(name -> SETTINGS.stream().anyMatch(name::startsWith));
        return isSet ? Optional.empty() : Optional.of(new PlainClientConfig());
    }

    @Override
    protected void handleBackwardCompatibility() {
        // copies system properties of which there are none
    }
}
