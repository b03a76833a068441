package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Configured relays, and the settings that must be the same on them. */
class RelaysConfigTest {
    private static RelayConfig relay(String... shards) {
        return new RelayConfig(new HostPort("h", 1), List.of(shards));
    }

    @Test
    void eachShardIsReadByOneRelayAndIsAShardOfTheNode() {
        RelaysConfig relays = new RelaysConfig(Map.of("a", relay("s1", "s2"), "b", relay("s3")));
        assertDoesNotThrow(() -> relays.requireAmong(Set.of("s1", "s2", "s3", "s4")));
        String unknown = assertThrows(IllegalArgumentException.class, () -> relays.requireAmong(Set.of("s1", "s2")))
                .getMessage();
        assertTrue(unknown.startsWith("relay.b.shards: expected some of the shards"), unknown);
        assertTrue(unknown.endsWith("found s3"), unknown);
        String twice = assertThrows(
                        IllegalArgumentException.class,
                        () -> new RelaysConfig(Map.of("a", relay("s1"), "b", relay("s1"))))
                .getMessage();
        assertTrue(twice.contains("expected shard s1 in one relay only, found it also in relay."), twice);
        assertThrows(IllegalArgumentException.class, () -> new RelaysConfig(Map.of("a", relay())));
    }

    @Test
    void theTokenSettingsDoNotDependOnTheShards() {
        ExtractorConfig one = ExtractorConfig.of(7, Map.of("s1", ShardConfig.of("h", 1, "u", "p")));
        ExtractorConfig other = ExtractorConfig.of(7, Map.of("s2", ShardConfig.of("i", 2, "v", "q")));
        assertEquals(settings(one), settings(other));
        assertNotEquals(settings(one), settings(ExtractorConfig.of(8, one.shards())));
        ExtractorConfig mapped = one.withTableMap(Map.of("m", new TableMapRule(Pattern.compile("a_\\d+"), "a")));
        assertNotEquals(settings(one), settings(mapped));
        OrderConfig tso = new OrderConfig(OrderMode.TSO, "a.b");
        assertNotEquals(settings(one), TokenSettings.of(one, tso));
        assertNotEquals(TokenSettings.of(one, new OrderConfig(OrderMode.TSO, "a.c")), TokenSettings.of(one, tso));
    }

    private static String settings(ExtractorConfig config) {
        return TokenSettings.of(config, OrderConfig.XA);
    }
}
