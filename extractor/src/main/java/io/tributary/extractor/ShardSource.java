package io.tributary.extractor;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.HiddenTable;
import java.util.List;

/**
 * One shard to read.
 *
 * @param index its index among the shards, from 0
 * @param config its configuration
 * @param from the cut from which to continue; for a new stream {@link ShardFacts#firstCut}
 * @param hidden the tables of online schema change tools that are known at the frontier of {@code from}
 */
public record ShardSource(int index, ShardConfig config, ShardCut from, List<HiddenTable> hidden) {
    public ShardSource {
        hidden = List.copyOf(hidden);
    }

    /** A shard without a known online schema change. */
    public ShardSource(int index, ShardConfig config, ShardCut from) {
        this(index, config, from, List.of());
    }

    /** Whether a transaction was processed before the cut and is read again. */
    public boolean isReadAgain(Sid sid, long gno) {
        return from.frontier().contains(sid, gno);
    }

    /** The shard's name in the configuration. */
    public String name() {
        return from.name();
    }
}
