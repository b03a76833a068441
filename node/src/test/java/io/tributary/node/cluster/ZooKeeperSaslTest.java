package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node at a real ZooKeeper server that accepts only sessions with a SASL login (docs/cluster.md). */
@Timeout(120)
class ZooKeeperSaslTest {
    private static final Map<String, String> SERVER_PROPERTIES = Map.of(
            "zookeeper.authProvider.sasl", SASLAuthenticationProvider.class.getName(),
            "zookeeper.sessionRequireClientSASLAuth", "true",
            // else ZooKeeper's client refuses DIGEST-MD5
            "zookeeper.fips-mode", "false");

    @TempDir
    private Path folder;

    private TestingServer server;

    /** The sections of a JAAS file, as java.security.auth.login.config names it. */
    private static final class Sections extends Configuration {
        private final Map<String, Map<String, String>> sections = new HashMap<>();

        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            Map<String, String> options = sections.get(name);
            return options == null
                    ? null
                    : new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(), LoginModuleControlFlag.REQUIRED, options)
                    };
        }
    }

    private final Sections sections = new Sections();

    @BeforeEach
    void start() throws Exception {
        sections.sections.put("Server", Map.of("user_tributary", "secret"));
        Configuration.setConfiguration(sections);
        SERVER_PROPERTIES.forEach(System::setProperty);
        server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1), true);
    }

    @AfterEach
    void stop() throws IOException {
        SERVER_PROPERTIES.keySet().forEach(System::clearProperty);
        Configuration.setConfiguration(null);
        server.close();
    }

    private void identify(Optional<String> digest) {
        CoordinationConfig config = TestCoordination.withLogin(
                TestCoordination.config("n", server.getConnectString(), "/t", Duration.ofSeconds(2), 1), digest);
        try (ZooKeeperCoordinator node = new ZooKeeperCoordinator(
                config, NodeIdentity.own("c", "n"), new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM)) {
            assertEquals(new UUID(1, 2), node.identify(Optional.empty(), new UUID(1, 2)));
        }
    }

    @Test
    void theSaslLoginOfTheJvmIsUsed() {
        sections.sections.put("Client", Map.of("username", "tributary", "password", "secret"));
        identify(Optional.empty());
    }

    @Test
    void theAclsUseTheDigestLoginBesideIt() {
        sections.sections.put("Client", Map.of("username", "tributary", "password", "secret"));
        identify(Optional.of("tributary:other"));
    }

    @Test
    void aWrongPasswordIsRefused() {
        sections.sections.put("Client", Map.of("username", "tributary", "password", "wrong"));
        RuntimeException refused = assertThrows(RuntimeException.class, () -> identify(Optional.empty()));
        assertTrue(refused.getMessage().contains("ZooKeeper"), refused.getMessage());
    }
}
