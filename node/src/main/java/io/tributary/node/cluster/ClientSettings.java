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

/** Settings of the ZooKeeper client: with TLS those of the node's configuration, without TLS ZooKeeper's own. */
final class ClientSettings {
    private static final List<String> SETTINGS = List.of("zookeeper.", "jute.", "sun.security.jgss.");
    private static final String PEM = "PEM";

    private ClientSettings() {}

    /**
     * Returns the settings that differ from ZooKeeper's own.
     *
     * @param system the JVM's properties
     * @return empty if the ZooKeeper client has to read the system properties itself
     * @throws TributaryException TLS_UNUSABLE when a file cannot be read or holds no certificate or key
     */
    static Optional<ZKClientConfig> of(ZooKeeperConfig.Tls tls, Properties system) {
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
     * ZooKeeper's default settings, for a JVM that sets none in system properties. The superclass would set up TLS only to get the names of the
     * TLS properties, which takes 0.1 s of each start.
     */
    private static final class Plain extends ZKClientConfig {
        @Override
        protected void handleBackwardCompatibility() {
            // would copy system properties; none is set
        }
    }
}
