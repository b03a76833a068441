package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.Question;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the statements that are not complete and the shards that are held, with the commands that end each, and reports in the log those that take
 * long. Written by the thread that orders; {@link #items} may be read by any thread.
 */
public final class SchemaStatus {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaStatus.class);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final SchemaChanges changes;
    private final OpenQuestions questions;
    private final long waitNanos;
    private final long warnNanos;
    private final List<Token> warned = new ArrayList<>();
    private volatile List<SchemaItem> items = List.of();
    private long lastCheck;
    private long seen;
    private boolean hasChecked;

    /** The state in the last cut, and the versions to which it belongs. */
    private SchemaState state = SchemaState.NONE;

    private long stateVersion;
    private int[] statePlaces = {};

    /**
     * @param waitNanos time after which a statement that waits is reported in the log; 0 for never
     * @param warnNanos time after which a statement that some members lack is reported in the log
     */
    SchemaStatus(SchemaChanges changes, OpenQuestions questions, long waitNanos, long warnNanos) {
        this.changes = changes;
        this.questions = questions;
        this.waitNanos = waitNanos;
        this.warnNanos = warnNanos;
    }

    /** The items as of some tenths of a second ago; any thread. */
    public List<SchemaItem> items() {
        return items;
    }

    /** Whether a shard waits at a statement or is held; any thread. */
    public boolean isHoldingShards() {
        return items.stream().anyMatch(item -> !item.shard().isEmpty());
    }

    /** Sets the time; call this regularly. */
    public void tick(long now) {
        changes.tick(now);
        questions.tick(now);
        if (hasChecked && now - lastCheck < CHECK_NANOS) {
            return;
        }
        lastCheck = now;
        hasChecked = true;
        boolean isEmpty = changes.incomplete().isEmpty() && changes.waiting().isEmpty() && questions.isEmpty();
        if (!isEmpty || !items.isEmpty()) {
            items = currentItems(now);
            warn(now);
        }
    }

    /** The current items, the oldest first within each state. */
    public List<SchemaItem> currentItems(long now) {
        List<SchemaItem> found = new ArrayList<>();
        questions.all().forEach(each -> found.add(held(each, now)));
        changes.waiting().forEach(each -> found.add(waiting(each, now)));
        changes.incomplete().forEach(each -> found.add(incomplete(each, now)));
        return found;
    }

    private void warn(long now) {
        warned.removeIf(token -> changes.waiting().stream().noneMatch(each -> each.isAt(token)));
        for (WaitingStatement each : changes.waiting()) {
            boolean isLong = waitNanos > 0 && now - each.sinceNanos() >= waitNanos;
            if (isLong && !warned.contains(each.token())) {
                warned.add(each.token());
                SchemaItem item = waiting(each, now);
                LOG.warn(
                        "ddl waits: shard={} id={} table={} seconds={} has=\"{}\" lacks=\"{}\" waits.for=\"{}\""
                                + " effect=\"other shards continue\" action=\"to end the wait, run {}\"",
                        item.shard(),
                        item.id(),
                        item.table(),
                        item.seconds(),
                        item.has(),
                        item.lacks(),
                        item.message(),
                        String.join(" or ", item.commands()));
            }
        }
        for (Change each : changes.incomplete()) {
            if (now - since(each, now) >= warnNanos && each.warnOnce()) {
                SchemaItem item = incomplete(each, now);
                LOG.warn(
                        "ddl incomplete: id={} table={} state={} seconds={} lacks=\"{}\" action=\"run it there too,"
                                + " or run {}\"",
                        item.id(),
                        item.table(),
                        item.state(),
                        item.seconds(),
                        item.lacks(),
                        String.join(" or ", item.commands()));
            }
        }
    }

    private SchemaItem held(OpenQuestions.Held held, long now) {
        List<String> commands = new ArrayList<>();
        if (held.question().code() == ErrorCode.DDL_CONFLICT) {
            changes.replacements(held.token())
                    .forEach(text -> commands.add(command(
                            DdlDecision.Verb.TEXT, held.id() + " --text '" + text.replace("'", "'\\''") + "'")));
        }
        commands.add(command(DdlDecision.Verb.SKIP, held.id()));
        commands.add(OpenQuestions.command(held));
        return new SchemaItem(
                held.id(),
                SchemaItem.Subject.TRANSACTION,
                new SchemaItem.Progress(
                        SchemaItem.State.HELD,
                        seconds(now - held.sinceNanos()),
                        held.question().code(),
                        held.question().message(),
                        commands),
                new SchemaItem.Stop(
                        held.shardName(),
                        held.gtid().toString(),
                        held.token().file(),
                        held.token().end()),
                SchemaItem.MemberNames.NONE);
    }

    private SchemaItem waiting(WaitingStatement waiting, long now) {
        Token token = waiting.token();
        Part part = waiting.part();
        String shard = changes.names().of(token.shard());
        List<String> has = changes.names().texts(waiting.has());
        return new SchemaItem(
                part == null ? token.ddl().parts().get(0).id() : part.id(),
                new SchemaItem.Subject(
                        part == null ? token.ddl().parts().get(0).kind() : part.kind(),
                        table(part == null ? token.ddl().parts().get(0) : part),
                        token.ddl().text()),
                new SchemaItem.Progress(
                        SchemaItem.State.WAITING,
                        seconds(now - waiting.sinceNanos()),
                        null,
                        waiting.reason(),
                        part == null ? List.of() : commands(part, has.get(0))),
                new SchemaItem.Stop(shard, Gtid.text(token.sid(), token.gno()), token.file(), token.end()),
                new SchemaItem.MemberNames(has, changes.names().texts(waiting.lacks())));
    }

    private static List<String> commands(Part part, String member) {
        String loss = part.removesRows() ? " --accept-loss" : "";
        return List.of(
                command(DdlDecision.Verb.EMIT, part.id() + loss),
                command(DdlDecision.Verb.IGNORE, part.id() + " --member " + member),
                command(DdlDecision.Verb.DONE, part.id() + loss),
                command(DdlDecision.Verb.SKIP, part.id()));
    }

    private static String command(DdlDecision.Verb verb, String rest) {
        return "tributary ddl " + verb.word() + " " + rest + " -c FILE";
    }

    private SchemaItem incomplete(Change change, long now) {
        Part part = change.part();
        boolean isToBeWritten = change.isToBeWritten();
        List<String> lacks = changes.names().texts(changes.lacking(change));
        String loss = part.removesRows() ? " --accept-loss" : "";
        List<String> commands = new ArrayList<>();
        commands.add(command(DdlDecision.Verb.DONE, part.id() + loss));
        if (isToBeWritten) {
            commands.add(command(DdlDecision.Verb.EMIT, part.id() + loss));
        }
        lacks.stream()
                .filter(each -> !isToBeWritten)
                .forEach(
                        each -> commands.add(command(DdlDecision.Verb.IGNORE, part.id() + " --member " + each + loss)));
        return new SchemaItem(
                part.id(),
                new SchemaItem.Subject(part.kind(), table(part), change.text()),
                new SchemaItem.Progress(
                        isToBeWritten ? SchemaItem.State.COUNTING : SchemaItem.State.PENDING,
                        seconds(now - since(change, now)),
                        null,
                        isToBeWritten
                                ? "it is written once these members have it too"
                                : "it is written; these members have not executed it yet" + note(change),
                        commands),
                SchemaItem.Stop.NONE,
                new SchemaItem.MemberNames(changes.names().texts(change.having()), lacks));
    }

    private String note(Change change) {
        String note = changes.note(change);
        return note.isEmpty() ? "" : "; approximate: " + note + ", the replicas with others";
    }

    /** The time since which this node has known it; a statement from the cut counts from the start. */
    private long since(Change change, long now) {
        if (change.sinceNanos() == 0) {
            change.seenAt(now);
        }
        return change.sinceNanos();
    }

    private static TableName table(Part part) {
        return part.targets().isEmpty() ? null : part.targets().get(0).logical();
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(Math.max(0, nanos));
    }

    // ---- the cut

    /**
     * The state of schema changes for a cut.
     *
     * @param places the index of each shard in the cut's list, by its own index
     */
    public SchemaState state(int[] places) {
        long version = changes.version() + questions.version();
        if (version != stateVersion || !Arrays.equals(places, statePlaces)) {
            state = newState(places);
            stateVersion = version;
            statePlaces = places.clone();
        }
        return state;
    }

    private SchemaState newState(int[] places) {
        List<HeldQuestion> asked = new ArrayList<>(questions.forCut());
        for (WaitingStatement each : changes.waiting()) {
            if (each.part() != null) {
                Token token = each.token();
                asked.add(new HeldQuestion(
                        each.part().id(),
                        changes.names().of(token.shard()),
                        new Gtid(token.sid(), token.gno()),
                        new Question(ErrorCode.DDL_WAITS, token.ddl().text() + ": waits for " + each.reason())));
            }
        }
        return new SchemaState(changes.pending(places), asked, changes.decisions(), changes.created());
    }

    /** Whether the state for a cut may have changed since the last call. */
    public boolean hasChanged() {
        long version = changes.version() + questions.version();
        boolean hasChanged = version != seen;
        seen = version;
        return hasChanged;
    }

    // ---- operators

    /**
     * Executes an operator's decision.
     *
     * @return what was done
     * @throws io.tributary.common.error.TributaryException DECISION_REFUSED
     */
    public String execute(DdlDecision decision) {
        for (OpenQuestions.Held each : questions.all()) {
            if (OperatorDecisions.isMeant(decision, each.id())) {
                if (decision.verb() == DdlDecision.Verb.TEXT) {
                    String done = changes.replace(decision, each.token());
                    questions.changed();
                    return done;
                }
                if (decision.verb() != DdlDecision.Verb.SKIP) {
                    throw OperatorDecisions.refused("expected `tributary ddl skip " + each.id()
                            + "` for a transaction at which shard " + each.shardName() + " is held, found ddl "
                            + decision.verb().word());
                }
                return questions.skip(each);
            }
        }
        return changes.execute(decision);
    }
}
