package io.tributary.seed.replay;

import io.tributary.common.value.TableName;
import java.util.Set;

/**
 * What a replay did.
 *
 * @param dirty the tables that were dropped on the target because a statement changed them, and must be copied again
 * @param transactions committed on the target by this run, including empty ones
 */
public record ReplayResult(Set<TableName> dirty, long transactions) {
    public ReplayResult {
        dirty = Set.copyOf(dirty);
    }
}
