package io.tributary.seed.copy;

import io.tributary.seed.table.ShardTable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work of one worker: to divide a member into parts, or to copy a part.
 *
 * @param plan of the table
 * @param open how many works of the table are not done
 * @param part empty: divide the member
 * @param rowBytes average length of a row
 */
record CopyWork(CopyPlan plan, AtomicInteger open, ShardTable member, Optional<MemberPart> part, long rowBytes) {}
