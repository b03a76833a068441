package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import java.util.List;

/**
 * A statement that is not complete, or a question that holds a shard, as an operator sees it.
 *
 * @param id as commands name it
 * @param state how far it is
 * @param kind when it is written; null for a question about a transaction
 * @param table the logical table or schema; null where there is none
 * @param text the statement, or the verb alone; "" for a transaction
 * @param seconds for how long this node has known of it
 * @param shard the shard that waits or is held; "" where none is
 * @param gtid the statement or transaction at which it waits; "" where none does
 * @param file the shard's binlog file there
 * @param offset behind it in that file
 * @param code what is wrong (HELD), else null
 * @param message what it waits for, in words
 * @param has the members that have it, such as {@code s1:shop.orders_0}
 * @param lacks the members that lack it
 * @param commands what ends it, each ready to be run
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

    /** How far a statement is. */
    public enum State {
        /** Its shard waits at it until every member's own has been received. */
        WAITING,
        /** Its shard is held until an operator decides. */
        HELD,
        /** It is written; some members have not had it yet. */
        PENDING,
        /** Some members have had it; it is written once the last one has (constraints that are added). */
        COUNTING
    }
}
