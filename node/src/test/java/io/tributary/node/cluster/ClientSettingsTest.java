package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    private static Properties with(String name) {
        Properties properties = new Properties();
        properties.setProperty("java.home", "somewhere");
        properties.setProperty(name, "x");
        return properties;
    }

    @Test
    void equalsZooKeepersDefaultsIfNothingIsSet() {
        ZKClientConfig plain = ClientSettings.of(ZooKeeperConfig.Tls.NONE, with("io.tributary.some"))
                .orElseThrow();
        ZKClientConfig usual = new ZKClientConfig();
        assertEquals(usual.isSaslClientEnabled(), plain.isSaslClientEnabled());
        assertFalse(plain.getBoolean(ZKClientConfig.SECURE_CLIENT));
        assertEquals(
                usual.getLong(
                        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT_DEFAULT),
                plain.getLong(
                        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT_DEFAULT));
    }

    @Test
    void zooKeeperReadsSystemPropertiesIfSomeAreSet() {
        assertTrue(ClientSettings.of(ZooKeeperConfig.Tls.NONE, with("zookeeper.client.secure"))
                .isEmpty());
        assertTrue(ClientSettings.of(ZooKeeperConfig.Tls.NONE, with("jute.maxbuffer"))
                .isEmpty());
    }
}
