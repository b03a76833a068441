package io.tributary.extractor;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.HiddenTable;
import java.util.List;

/**
 * One shard to extract from.
 *
 * @param index its place among the shards, 0 up
 * @param config where it is
 * @param from where to go on; for a new stream {@link ShardFacts#firstCut}
 * @param hidden what is known, at the frontier of {@code from}, of tables of online schema change tools
 */
public record ShardSource(int index, ShardConfig config, ShardCut from, List<HiddenTable> hidden) {
    public ShardSource {
        hidden = List.copyOf(hidden);
    }

    /** One on which no online schema change is known. */
    public ShardSource(int index, ShardConfig config, ShardCut from) {
        this(index, config, from, List.of());
    }

    /** Whether a transaction has been processed before the cut and is read again. */
    boolean isReadAgain(Sid sid, long gno) {
        return from.frontier().contains(sid, gno);
    }

    /** The shard's name in the configuration. */
    public String name() {
        return from.name();
    }
}
