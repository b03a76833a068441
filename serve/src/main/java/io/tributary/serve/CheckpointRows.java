package io.tributary.serve;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.serve.statement.Answer;
import java.util.List;
import java.util.UUID;

/** The answer to SHOW TRIBUTARY CHECKPOINT: one row for each shard of a cut. */
final class CheckpointRows {
    private static final List<String> COLUMNS =
            List.of("Executed_Gtid_Set", "Cut", "Shard", "Server_uuid", "Frontier", "Round");
    private static final List<Boolean> NUMERIC = List.of(false, true, false, false, false, true);

    private CheckpointRows() {}

    static Answer none() {
        return new Answer.Rows(COLUMNS, NUMERIC, List.of());
    }

    /** @param serverUuid the UUID of the output's GTIDs */
    static Answer of(Cut cut, UUID serverUuid) {
        String executed = cut.transactions() == 0 ? "" : serverUuid + ":1-" + cut.transactions();
        return new Answer.Rows(
                COLUMNS,
                NUMERIC,
                cut.shards().stream().map(shard -> row(cut, shard, executed)).toList());
    }

    private static List<String> row(Cut cut, ShardCut shard, String executed) {
        return List.of(
                executed,
                Long.toString(cut.number()),
                shard.name(),
                shard.serverUuid(),
                shard.frontier().line(),
                Long.toString(shard.round()));
    }
}
