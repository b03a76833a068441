package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StartCutTest {
    private static Cut cutOf(String... shards) {
        List<Cut.ShardCut> list = Stream.of(shards)
                .map(name -> Cut.ShardCut.unread(name, "", GtidSet.EMPTY, GtidSet.EMPTY))
                .toList();
        return new Cut(
                1,
                12,
                new Cut.Sources(list, Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    private static ExtractorConfig configOf(String... shards) {
        Map<String, ShardConfig> named = new LinkedHashMap<>();
        Stream.of(shards).forEach(name -> named.put(name, ShardConfig.of(name, 3306, "u", "p")));
        return ExtractorConfig.of(1, named);
    }

    private static List<String> read(Cut cut, ExtractorConfig config) {
        return List.copyOf(StartCut.shardsOf(config, Optional.of(cut)).shards().keySet());
    }

    @Test
    void theShardsOfTheCutAreReadInItsOrder() {
        assertEquals(List.of("b", "a"), read(cutOf("b", "a"), configOf("a", "b")));
    }

    @Test
    void aShardThatTheCutDoesNotHaveIsNotReadUntilItIsAdded() {
        assertEquals(List.of("a", "b"), read(cutOf("a", "b"), configOf("a", "b", "c")));
    }

    @Test
    void aNewStreamReadsAllConfiguredShards() {
        ExtractorConfig config = configOf("b", "a");
        assertEquals(config, StartCut.shardsOf(config, Optional.empty()));
    }

    @Test
    void aShardOfTheCutWithoutKeysIsRefused() {
        for (ExtractorConfig other : List.of(configOf("a"), configOf("a", "c"))) {
            TributaryException thrown = assertThrows(TributaryException.class, () -> read(cutOf("a", "b"), other));
            assertEquals(ErrorCode.SHARDS_CHANGED, thrown.code());
        }
        TributaryException thrown = assertThrows(TributaryException.class, () -> read(cutOf("a"), configOf("b")));
        assertEquals("expected the shards [a] of cut 12, found [b] in the configuration", thrown.getMessage());
    }
}
