package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TokenKind;
import io.tributary.testkit.source.LoopbackShard;
import io.tributary.testkit.source.PolarDbxCoordinator;
import io.tributary.testkit.source.PolarDbxCoordinator.Expected;
import io.tributary.testkit.source.PolarDbxGeneration;
import io.tributary.testkit.source.PolarDbxLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stream of a PolarDB-X data node, over the replication protocol, in xa order: every transaction, and no other event. */
class PolarDbxStreamTest {
    private static final long SEED = 3;

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void makesOneTokenForEachTransactionWithAnyEventsBetweenThem(PolarDbxGeneration generation) {
        PolarDbxLog log = new PolarDbxLog(UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562"), 11, generation);
        PolarDbxCoordinator coordinator = new PolarDbxCoordinator(SEED, List.of(log));
        coordinator.run(200);
        List<SeenToken> tokens = new ArrayList<>();
        try (LoopbackShard shard = LoopbackShard.serve(log);
                ExtractorRig rig = ExtractorRig.after(GtidSet.EMPTY, shard.port())) {
            tokens.addAll(rig.readUntil(executed(log)));
            coordinator.run(200); // while the extractor waits for more
            coordinator.finish();
            tokens.addAll(rig.readUntil(executed(log)));
        }
        assertEquals(log.newestNumber(), tokens.size());
        List<Expected> expected = coordinator.expected();
        assertEquals(expected.size(), count(tokens, TokenKind.LOCAL) + count(tokens, TokenKind.COMMIT));
        assertEquals(
                count(tokens, TokenKind.PREPARE), count(tokens, TokenKind.COMMIT) + count(tokens, TokenKind.ROLLBACK));
        assertTrue(count(tokens, TokenKind.ROLLBACK) > 0);
        for (SeenToken token : tokens) {
            boolean hasRows = token.kind() == TokenKind.LOCAL || token.kind() == TokenKind.PREPARE;
            assertEquals(hasRows ? List.of("MAP app.moves", "WRITE app.moves.") : List.of(), token.events());
        }
    }

    private static GtidSet executed(PolarDbxLog log) {
        return GtidSet.parse(log.uuid() + ":1-" + log.newestNumber());
    }

    private static long count(List<SeenToken> tokens, TokenKind kind) {
        return tokens.stream().filter(token -> token.kind() == kind).count();
    }
}
