package io.tributary.node.command.order;

import io.tributary.common.value.Cut;

/**
 * The cut that was chosen for a time: the last one before the first transaction that was committed at that time or later.
 *
 * @param asked the time, µs since 1970
 * @param cut the cut
 * @param micros when the last transaction before the cut was committed, µs since 1970; 0 if there is none, or if that is not known
 * @param leftOut transactions after the cut, and before the first one that was committed at that time or later
 */
record TimeChoice(long asked, Cut cut, long micros, long leftOut) {
    /** The number of the last transaction before the first one that was committed at that time or later. */
    long exact() {
        return cut.transactions() + leftOut;
    }
}
