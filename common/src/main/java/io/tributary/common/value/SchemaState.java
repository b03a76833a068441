package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The schema changes in a cut: statements that ran on some members and not on others, questions to the operator, and decisions that
 * were given while the node was stopped and are not executed yet.
 *
 * @param pending statements that are not complete, in the order in which they began
 * @param questions what holds a shard now, at most one for each shard
 * @param decisions of the operator, each executed when its statement or question arrives
 * @param created tables that were created in the stream recently, the oldest first
 * @param isOfEarlierVersion whether statements were in progress in the form of an earlier version, which cannot be continued
 */
public record SchemaState(
        List<PendingDdl> pending,
        List<HeldQuestion> questions,
        List<DdlDecision> decisions,
        List<CreatedTable> created,
        boolean isOfEarlierVersion) {
    /** No schema change is in progress. */
    public static final SchemaState NONE = new SchemaState(List.of(), List.of(), List.of(), List.of());

    /** Statements were in progress in the form of an earlier version. */
    static final SchemaState OF_EARLIER_VERSION = new SchemaState(List.of(), List.of(), List.of(), List.of(), true);

    /** A state of this version. */
    public SchemaState(
            List<PendingDdl> pending,
            List<HeldQuestion> questions,
            List<DdlDecision> decisions,
            List<CreatedTable> created) {
        this(pending, questions, decisions, created, false);
    }

    public SchemaState {
        pending = List.copyOf(pending);
        questions = List.copyOf(questions);
        decisions = List.copyOf(decisions);
        created = List.copyOf(created);
    }

    /** The same with one more decision. */
    public SchemaState deciding(DdlDecision decision) {
        List<DdlDecision> more = new ArrayList<>(decisions);
        more.add(decision);
        return new SchemaState(pending, questions, more, created);
    }

    /** The same without the question that holds a shard. */
    SchemaState withoutQuestions(String shard) {
        List<HeldQuestion> others = questions.stream()
                .filter(question -> !question.shard().equals(shard))
                .toList();
        return new SchemaState(pending, others, decisions, created, isOfEarlierVersion);
    }

    /**
     * A part of a statement that has been written and has not arrived on some members yet, or (LATE) that has arrived on some members and
     * is not written yet.
     *
     * @param part what it changes; its targets have the physical names of the first member
     * @param text for operators, as {@link Ddl#text()}
     * @param sinceMicros when it first arrived, µs since 1970 by the shard's clock; 0 if the shard writes no time
     * @param statement its event if it is not written yet (LATE), otherwise an empty one
     * @param members the members on which it has not arrived, and (LATE) those on which it has
     */
    public record PendingDdl(
            Ddl.Part part, String text, long sinceMicros, LoggedStatement statement, List<MemberCount> members) {
        public PendingDdl {
            members = List.copyOf(members);
        }

        /** See {@link LoggedStatement#event}. */
        public ByteBuffer event() {
            return statement.event();
        }

        /** See {@link LoggedStatement#server}. */
        public ServerVersion server() {
            return statement.server();
        }
    }

    /**
     * A statement as it was in a binlog.
     *
     * @param event its normalised QUERY event, or an empty one; read only, never changed
     * @param server the server in whose binlog that event was
     */
    public record LoggedStatement(ByteBuffer event, ServerVersion server) {
        public LoggedStatement {
            event = event.asReadOnlyBuffer();
        }
    }

    /**
     * How often a statement that was written has not arrived on a member yet, or has arrived there before it is written.
     *
     * @param shard the shard's index in the cut's list
     * @param physical the name there; for TEXT the program's name, or an empty one
     * @param lacks how often it has not arrived there yet
     * @param has how often it has arrived there without having been written (LATE)
     */
    public record MemberCount(int shard, TableName physical, int lacks, int has) {}

    /**
     * A table that was created in the stream, and the statements that were written for it since: a member that is created later by the same
     * statement still has to deliver all of them.
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

    /** A part of a statement that was written, and its text for operators. */
    public record Written(Ddl.Part part, String text) {}

    /**
     * A question that holds a shard.
     *
     * @param id the id that operators use
     * @param shard the shard's name
     * @param gtid the transaction or statement for which the shard is held
     */
    public record HeldQuestion(String id, String shard, Gtid gtid, Question question) {}
}
