package io.tributary.node.cluster;

import io.tributary.common.error.TributaryException;
import io.tributary.common.tls.PemFiles;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;

/** The settings of ZooKeeper's client: with TLS those of the node's configuration, without it ZooKeeper's own. */
final class ClientSettings {
    private static final List<String> SETTINGS = List.of("zookeeper.", "jute.", "sun.security.jgss.");
    private static final String PEM = "PEM";

    private ClientSettings() {}

    /**
     * What differs from ZooKeeper's own settings.
     *
     * @param system the JVM's properties
     * @return empty where ZooKeeper has to look itself
     * @throws TributaryException TLS_UNUSABLE when a file cannot be read or holds no certificate or key
     */
    static Optional<ZKClientConfig> of(CoordinationConfig.Tls tls, Properties system) {
        if (tls.ca().isPresent()) {
            return Optional.of(encrypted(tls.ca().get(), tls.certificate()));
        }
        boolean isSet = system.stringPropertyNames().stream()
                .anyMatch(name -> SETTINGS.stream().anyMatch(name::startsWith));
        return isSet ? Optional.empty() : Optional.of(new Plain());
    }

    private static ZKClientConfig encrypted(Path authority, Optional<Path> certificate) {
        X509Certificate[] unused = PemFiles.certificates(authority);
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        try (ClientX509Util names = new ClientX509Util()) {
            config.setProperty(names.getSslTruststoreLocationProperty(), authority.toString());
            config.setProperty(names.getSslTruststoreTypeProperty(), PEM);
            certificate.ifPresent(file -> {
                var unusedKey = PemFiles.keyOf(file, PemFiles.certificates(file), file);
                config.setProperty(names.getSslKeystoreLocationProperty(), file.toString());
                config.setProperty(names.getSslKeystoreTypeProperty(), PEM);
            });
        }
        return config;
    }

    /**
     * ZooKeeper's own settings where no system property makes any: to learn what TLS's are called, ZooKeeper sets up TLS, which takes a
     * tenth of a second of each start.
     */
    private static final class Plain extends ZKClientConfig {
        @Override
        protected void handleBackwardCompatibility() {
            // copies system properties of which there are none
        }
    }
}
