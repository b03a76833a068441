package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

class PlainClientConfigTest {
    private static Properties with(String name) {
        Properties properties = new Properties();
        properties.setProperty("java.home", "somewhere");
        properties.setProperty(name, "x");
        return properties;
    }

    @Test
    void isWhatZooKeeperFindsWhereNothingIsSet() {
        ZKClientConfig plain =
                PlainClientConfig.where(with("io.tributary.some")).orElseThrow();
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
    void zooKeeperLooksItselfWhereSomethingIsSet() {
        assertTrue(PlainClientConfig.where(with("zookeeper.client.secure")).isEmpty());
        assertTrue(PlainClientConfig.where(with("jute.maxbuffer")).isEmpty());
    }
}
