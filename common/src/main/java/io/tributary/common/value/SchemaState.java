package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cut says of schema changes: statements that some members have had and others not, questions to the operator, and orders that
 * were given while the node was stopped and are still to be carried out.
 *
 * @param pending statements that are not complete, in the order in which they began
 * @param questions what holds a shard now, at most one for each shard
 * @param orders carried out as soon as what they name is met
 * @param created tables that were created in the stream lately, the oldest first
 * @param isOfEarlierVersion whether statements were under way in the form of an earlier version, which cannot be continued
 */
public record SchemaState(
        List<PendingDdl> pending,
        List<HeldQuestion> questions,
        List<DdlOrder> orders,
        List<CreatedTable> created,
        boolean isOfEarlierVersion) {
    /** Nothing is under way. */
    public static final SchemaState NONE = new SchemaState(List.of(), List.of(), List.of(), List.of());

    /** Statements were under way in the form of an earlier version. */
    static final SchemaState OF_EARLIER_VERSION = new SchemaState(List.of(), List.of(), List.of(), List.of(), true);

    /** What this version writes. */
    public SchemaState(
            List<PendingDdl> pending, List<HeldQuestion> questions, List<DdlOrder> orders, List<CreatedTable> created) {
        this(pending, questions, orders, created, false);
    }

    public SchemaState {
        pending = List.copyOf(pending);
        questions = List.copyOf(questions);
        orders = List.copyOf(orders);
        created = List.copyOf(created);
    }

    /** The same with one order more. */
    public SchemaState ordering(DdlOrder order) {
        List<DdlOrder> more = new ArrayList<>(orders);
        more.add(order);
        return new SchemaState(pending, questions, more, created);
    }

    /**
     * A part of a statement that has been written and is still to arrive on some members, or (LATE) that has arrived on some and is still
     * to be written.
     *
     * @param part what it changes; its targets have the physical names of the member that brought it first
     * @param text for operators, as {@link Ddl#text()}
     * @param sinceMicros when it arrived first, µs since 1970 by the shard's clock; 0 where the shard writes none
     * @param event its normalised QUERY event where it is still to be written (LATE), else empty; read-only, never changed
     * @param server in whose log that event stood
     * @param members those that it concerns and that lack it, and (LATE) those that have it
     */
    public record PendingDdl(
            Ddl.Part part,
            String text,
            long sinceMicros,
            ByteBuffer event,
            ServerVersion server,
            List<MemberCount> members) {
        public PendingDdl {
            event = event.asReadOnlyBuffer();
            members = List.copyOf(members);
        }
    }

    /**
     * How often a member lacks a statement that has been written, or has had it before it is written.
     *
     * @param shard the shard's place in the cut's list
     * @param physical the name there; for TEXT the program's name, or an empty one
     * @param lacks how often it is still to arrive there
     * @param has how often it has arrived there without having been written (LATE)
     */
    public record MemberCount(int shard, TableName physical, int lacks, int has) {}

    /**
     * A table that was created in the stream, and what has been written of it since: a member that is created later by the same statement
     * still has to bring all of that.
     *
     * @param table the logical table
     * @param createId the effect of the statement that created it
     * @param statements in the order in which they were written
     */
    public record CreatedTable(TableName table, String createId, List<Written> statements) {
        public CreatedTable {
            statements = List.copyOf(statements);
        }
    }

    /** A part of a statement that has been written, and its text for operators. */
    public record Written(Ddl.Part part, String text) {}

    /**
     * A question that holds a shard.
     *
     * @param id as operators name it
     * @param shard the shard's name
     * @param gtid the transaction or statement at which the shard is held
     */
    public record HeldQuestion(String id, String shard, Gtid gtid, Question question) {}
}
