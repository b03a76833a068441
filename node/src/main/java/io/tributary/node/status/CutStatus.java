package io.tributary.node.status;

import io.tributary.common.value.Cut;
import java.util.List;

/**
 * The newest cut.
 *
 * @param number of the cut
 * @param epoch in which it was written
 */
public record CutStatus(long number, long epoch, List<ShardStatus> shards) {
    /** The status of a cut. */
    public static CutStatus of(Cut cut) {
        return new CutStatus(
                cut.number(),
                cut.epoch(),
                cut.shards().stream()
                        .map(shard -> new ShardStatus(
                                shard.name(),
                                shard.frontier(),
                                shard.file() + ":" + shard.offset(),
                                shard.leftOut(),
                                shard.correctionsLeft()))
                        .toList());
    }
}
