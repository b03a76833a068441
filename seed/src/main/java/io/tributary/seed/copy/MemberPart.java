package io.tributary.seed.copy;

import io.tributary.seed.table.ShardTable;
import java.util.List;

/**
 * A part of a member, and how far it is copied.
 *
 * @param lastKey the key of the last row that was written, as literals; empty before the first one
 * @param isDone whether all its rows were written
 * @param copied what was written
 */
record MemberPart(ShardTable member, KeyBounds bounds, List<String> lastKey, boolean isDone, Amount copied) {}
