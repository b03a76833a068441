package io.tributary.collector.schema;

import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Token;
import java.util.List;

/**
 * A statement at which its shard waits.
 *
 * @param token the statement's; its payload is not this one's
 * @param part the part that waits; null while the members of a shard are not known
 * @param has the members that have it, received or processed
 * @param lacks the members of which it has not been received
 * @param reason what it waits for, in words
 * @param sinceNanos when it began to wait
 */
record WaitingStatement(Token token, Part part, List<Place> has, List<Place> lacks, String reason, long sinceNanos) {
    boolean isAt(Token other) {
        return token.gno() == other.gno() && token.sid().equals(other.sid());
    }

    WaitingStatement since(long nanos) {
        return new WaitingStatement(token, part, has, lacks, reason, nanos);
    }
}
