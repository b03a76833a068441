package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import java.util.List;

/**
 * A statement that is not complete, or a question that holds a shard, as it is shown to an operator.
 *
 * @param id as it is used in commands
 * @param subject the statement
 * @param progress how far it is, and how it can be ended
 * @param stop where a shard waits or is held
 * @param members the members that have executed it, and those that have not
 */
public record SchemaItem(String id, Subject subject, Progress progress, Stop stop, MemberNames members) {
    /**
     * A statement, as far as it is shown.
     *
     * @param kind when it is written; null for a question about a transaction
     * @param table the logical table or schema; null if there is none
     * @param text the statement, or only its verb; "" for a transaction
     */
    public record Subject(DdlKind kind, TableName table, String text) {
        /** A transaction. */
        public static final Subject TRANSACTION = new Subject(null, null, "");
    }

    /**
     * How far it is, and how it can be ended.
     *
     * @param seconds for how long this node has known it
     * @param code the error (HELD), else null
     * @param message the reason, as text
     * @param commands the commands that end it, each ready to be run
     */
    public record Progress(State state, long seconds, ErrorCode code, String message, List<String> commands) {
        public Progress {
            commands = List.copyOf(commands);
        }
    }

    /**
     * Where a shard waits or is held.
     *
     * @param shard the shard; "" if none does
     * @param gtid the statement or transaction at which it waits; "" if none does
     * @param file the shard's binlog file there
     * @param offset the offset after it in that file
     */
    public record Stop(String shard, String gtid, String file, long offset) {
        /** No shard waits or is held. */
        public static final Stop NONE = new Stop("", "", "", 0);
    }

    /**
     * The members by what they have executed.
     *
     * @param has the members that have executed it, such as {@code s1:shop.orders_0}
     * @param lacks the members that have not
     */
    public record MemberNames(List<String> has, List<String> lacks) {
        /** No members. */
        public static final MemberNames NONE = new MemberNames(List.of(), List.of());

        public MemberNames {
            has = List.copyOf(has);
            lacks = List.copyOf(lacks);
        }
    }

    /** Its progress. */
    public State state() {
        return progress.state();
    }

    /** When it is written; null for a question about a transaction. */
    public DdlKind kind() {
        return subject.kind();
    }

    /** The logical table or schema; null if there is none. */
    public TableName table() {
        return subject.table();
    }

    /** The statement, or only its verb; "" for a transaction. */
    public String text() {
        return subject.text();
    }

    /** For how long this node has known it. */
    public long seconds() {
        return progress.seconds();
    }

    /** The shard that waits or is held; "" if none does. */
    public String shard() {
        return stop.shard();
    }

    /** The statement or transaction at which it waits; "" if none does. */
    public String gtid() {
        return stop.gtid();
    }

    /** The shard's binlog file there. */
    public String file() {
        return stop.file();
    }

    /** The offset after it in that file. */
    public long offset() {
        return stop.offset();
    }

    /** The error (HELD), else null. */
    public ErrorCode code() {
        return progress.code();
    }

    /** The reason, as text. */
    public String message() {
        return progress.message();
    }

    /** The members that have executed it, such as {@code s1:shop.orders_0}. */
    public List<String> has() {
        return members.has();
    }

    /** The members that have not. */
    public List<String> lacks() {
        return members.lacks();
    }

    /** The commands that end it, each ready to be run. */
    public List<String> commands() {
        return progress.commands();
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
