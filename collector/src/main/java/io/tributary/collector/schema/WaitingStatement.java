package io.tributary.collector.schema;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Token;
import java.util.List;

/**
 * A statement at which its shard waits.
 *
 * @param token the token of the statement; its payload is owned by the shard's queue
 * @param part the part that waits; null while the members of a shard are not known
 * @param has the members of which it has been received or processed
 * @param lacks the members of which it has not been received
 * @param reason the condition for which it waits, as text
 * @param sinceNanos when it began to wait
 */
record WaitingStatement(
        Token token, Part part, List<TableMember> has, List<TableMember> lacks, String reason, long sinceNanos) {
    boolean isAt(Token other) {
        return token.gno() == other.gno() && token.sid().equals(other.sid());
    }

    WaitingStatement since(long nanos) {
        return new WaitingStatement(token, part, has, lacks, reason, nanos);
    }
}
