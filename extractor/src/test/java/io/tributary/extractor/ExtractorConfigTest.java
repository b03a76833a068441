package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.io.DirectMemory;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit of received bytes is the same for many shards together as for a few. */
class ExtractorConfigTest {
    @Test
    void aShardGetsItsShareOfTheDirectMemory() {
        assertEquals(8 << 20, shards(1).queueBytes());
        assertEquals((int) (DirectMemory.limit() / 8 / 100), shards(100).queueBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64, 256, 1000})
    void allShardsTogetherGetAnEighth(int count) {
        long most = DirectMemory.limit() / 8;
        long all = (long) shards(count).queueBytes() * count;
        assertTrue(all <= most, () -> all + " bytes, expected at most " + most);
    }

    @Test
    void theMinimumIsEnoughForASocket() {
        assertEquals(64 << 10, shards(100_000).queueBytes());
    }

    private static ExtractorConfig shards(int count) {
        Map<String, ShardConfig> shards = new HashMap<>();
        for (int i = 0; i < count; i++) {
            shards.put("s" + i, null);
        }
        return ExtractorConfig.of(1, shards);
    }
}
