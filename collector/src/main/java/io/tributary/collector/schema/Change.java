package io.tributary.collector.schema;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a statement that is not complete. Either it is written and some members have not executed it yet, or some members have executed it and it
 * is not written yet.
 */
final class Change {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Part part;
    private final String text;
    private final long sinceMicros;
    private long sinceNanos;
    private ByteBuffer event = NOTHING;
    private ServerVersion server = ServerVersion.STANDARD;
    private final Map<TableMember, Integer> lacks = new LinkedHashMap<>();
    private final Map<TableMember, Integer> has = new LinkedHashMap<>();
    private boolean isWarned;

    /**
     * @param sinceMicros when it was first received, by the shard's clock
     * @param sinceNanos when this node first received it
     */
    Change(Part part, String text, long sinceMicros, long sinceNanos) {
        this.part = part;
        this.text = text;
        this.sinceMicros = sinceMicros;
        this.sinceNanos = sinceNanos;
    }

    Part part() {
        return part;
    }

    String text() {
        return text;
    }

    long sinceMicros() {
        return sinceMicros;
    }

    /** 0 for one that was restored from a cut and has not been checked yet. */
    long sinceNanos() {
        return sinceNanos;
    }

    void seenAt(long nanos) {
        sinceNanos = nanos;
    }

    /** Whether it is written at the last member: added constraints, and partitions whose rows are removed. */
    static boolean isWrittenLast(Part part) {
        return part.kind() == DdlKind.LATE || part.has(Effect.EMPTIES_PARTITIONS);
    }

    /** The logical table or schema that it changes first; null if there is none (TEXT). */
    TableName table() {
        return part.targets().isEmpty() ? null : part.targets().get(0).logical();
    }

    /** Its QUERY event as long as it is not written; empty afterwards. */
    ByteBuffer event() {
        return event;
    }

    /** The server version of the log that contained its event. */
    ServerVersion server() {
        return server;
    }

    /** The statement in its event; only as long as it is not written. */
    Statement statement() {
        return Statement.of(event, server);
    }

    /** @param writer the server version of the log that contained the event */
    void keep(ByteBuffer queryEvent, ServerVersion writer) {
        event = queryEvent.asReadOnlyBuffer();
        server = writer;
    }

    /** It has been written: one execution of each member is removed. Members that have executed it once more start the next round of it. */
    void written() {
        has.values().removeIf(count -> count == 1);
        has.replaceAll((member, count) -> count - 1);
        if (has.isEmpty()) {
            event = NOTHING;
            server = ServerVersion.STANDARD;
        }
    }

    boolean isToBeWritten() {
        return event.hasRemaining();
    }

    /** The member still has to execute it; one more time if it had to before. */
    void expect(TableMember member) {
        lacks.merge(member, 1, Integer::sum);
    }

    /** @return whether it was expected of the member */
    boolean arrived(TableMember member) {
        return decrement(lacks, member);
    }

    int lacks(TableMember member) {
        return lacks.getOrDefault(member, 0);
    }

    boolean has(TableMember member) {
        return has.containsKey(member);
    }

    /** How often the member has executed it since it was written. */
    int counted(TableMember member) {
        return has.getOrDefault(member, 0);
    }

    /** It was received for another table of the same statement, for example one with which partitions of several members are exchanged. */
    void note(TableMember member) {
        has.putIfAbsent(member, 1);
    }

    /** The member has executed it, one more time if it had before. */
    void count(TableMember member) {
        has.merge(member, 1, Integer::sum);
    }

    /** The member is not a member any more. */
    void remove(TableMember member) {
        lacks.remove(member);
        has.remove(member);
    }

    /** The member has another name from now on. */
    void rename(TableMember from, TableMember to) {
        Integer missing = lacks.remove(from);
        if (missing != null) {
            lacks.merge(to, missing, Integer::sum);
        }
        Integer counted = has.remove(from);
        if (counted != null) {
            has.merge(to, counted, Integer::sum);
        }
    }

    void expectNoMore() {
        lacks.clear();
    }

    private static boolean decrement(Map<TableMember, Integer> counts, TableMember member) {
        return counts.computeIfPresent(member, (any, count) -> count - 1) != null && removeEmpty(counts, member);
    }

    private static boolean removeEmpty(Map<TableMember, Integer> counts, TableMember member) {
        counts.remove(member, 0);
        return true;
    }

    boolean isComplete() {
        return lacks.isEmpty() && !isToBeWritten();
    }

    List<TableMember> lacking() {
        return List.copyOf(lacks.keySet());
    }

    List<TableMember> having() {
        return List.copyOf(has.keySet());
    }

    /** The name under which rows of the table are written from now on, after all steps of a RENAME; the same name if it was not renamed. */
    TableName renamed(TableName logical) {
        List<Target> targets = part.targets();
        TableName name = logical;
        for (int i = 0; i + 1 < targets.size(); i++) {
            boolean isStep = targets.get(i).effect() == Effect.RENAMES;
            if (isStep && targets.get(i).logical().equals(name)) {
                name = targets.get(i + 1).logical();
            }
        }
        return name;
    }

    /** True the first time that this is called. */
    boolean warnOnce() {
        boolean isFirst = !isWarned;
        isWarned = true;
        return isFirst;
    }

    boolean isWarned() {
        return isWarned;
    }
}
