package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import java.util.List;

/**
 * A statement that is not complete, or a question that holds a shard, as it is shown to an operator.
 *
 * @param id as it is used in commands
 * @param state its progress
 * @param kind when it is written; null for a question about a transaction
 * @param table the logical table or schema; null if there is none
 * @param text the statement, or only its verb; "" for a transaction
 * @param seconds for how long this node has known it
 * @param shard the shard that waits or is held; "" if none does
 * @param gtid the statement or transaction at which it waits; "" if none does
 * @param file the shard's binlog file there
 * @param offset the offset after it in that file
 * @param code the error (HELD), else null
 * @param message the reason, as text
 * @param has the members that have executed it, such as {@code s1:shop.orders_0}
 * @param lacks the members that have not
 * @param commands the commands that end it, each ready to be run
 */
public record SchemaItem(
        String id,
        State state,
        DdlKind kind,
        TableName table,
        String text,
        long seconds,
        String shard,
        String gtid,
        String file,
        long offset,
        ErrorCode code,
        String message,
        List<String> has,
        List<String> lacks,
        List<String> commands) {
    public SchemaItem {
        has = List.copyOf(has);
        lacks = List.copyOf(lacks);
        commands = List.copyOf(commands);
    }

    /** The progress of a statement. */
    public enum State {
        /** Its shard waits at it until that of every member has been received. */
        WAITING,
        /** Its shard is held until an operator decides. */
        HELD,
        /** It is written; some members have not executed it yet. */
        PENDING,
        /** Some members have executed it; it is written when the last one has (added constraints). */
        COUNTING
    }
}
