package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StartCutTest {
    private static Cut cutOf(String... shards) {
        List<Cut.ShardCut> list = Stream.of(shards)
                .map(name -> new Cut.ShardCut(name, "", GtidSet.EMPTY, GtidSet.EMPTY, "", 0, 0, 0))
                .toList();
        return new Cut(1, 12, 0, 0, list, Set.of(), List.of());
    }

    @Test
    void theOrderOfTheShardsInTheConfigurationDoesNotMatter() {
        assertDoesNotThrow(() -> StartCut.requireSameShards(cutOf("b", "a"), Set.of("a", "b")));
    }

    @Test
    void otherShardsThanTheCutNamesAreRefused() {
        for (Set<String> other : List.of(Set.of("a"), Set.of("a", "b", "c"), Set.of("a", "c"))) {
            TributaryException thrown =
                    assertThrows(TributaryException.class, () -> StartCut.requireSameShards(cutOf("a", "b"), other));
            assertEquals(ErrorCode.SHARDS_CHANGED, thrown.code());
        }
        TributaryException thrown =
                assertThrows(TributaryException.class, () -> StartCut.requireSameShards(cutOf("a"), Set.of("b")));
        assertEquals("expected the shards [a] of cut 12, found [b] in the configuration", thrown.getMessage());
    }
}
