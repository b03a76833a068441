package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.DdlOrder;
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
 * Shows the statements that are not complete and the shards that are held, with the commands that end each, and names in the log what
 * takes long. Written by the thread that orders; {@link #items} may be read by any.
 */
public final class SchemaWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaWatch.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final SchemaChanges changes;
    private final Questions questions;
    private final long waitNanos;
    private final long warnNanos;
    private final List<Token> warned = new ArrayList<>();
    private volatile List<SchemaItem> items = List.of();
    private long lastLook;
    private long seen;
    private boolean hasLooked;

    /** What the last cut said, and of when it is. */
    private SchemaState state = SchemaState.NONE;

    private long stateVersion;
    private int[] statePlaces = {};

    /**
     * @param waitNanos after which a statement that waits is named in the log; 0 for never
     * @param warnNanos after which a statement that some members lack is named in the log
     */
    public SchemaWatch(SchemaChanges changes, Questions questions, long waitNanos, long warnNanos) {
        this.changes = changes;
        this.questions = questions;
        this.waitNanos = waitNanos;
        this.warnNanos = warnNanos;
    }

    /** As it was some tenths of a second ago; any thread. */
    public List<SchemaItem> items() {
        return items;
    }

    /** How many shards wait at a statement or are held; any thread. */
    public long heldShards() {
        return items.stream()
                .map(SchemaItem::shard)
                .filter(shard -> !shard.isEmpty())
                .distinct()
                .count();
    }

    /** Tells the time; to be called now and then. */
    public void tick(long now) {
        changes.tick(now);
        questions.tick(now);
        if (hasLooked && now - lastLook < LOOK_NANOS) {
            return;
        }
        lastLook = now;
        hasLooked = true;
        boolean isEmpty = changes.incomplete().isEmpty() && changes.waiting().isEmpty() && questions.isEmpty();
        if (!isEmpty || !items.isEmpty()) {
            items = look(now);
            warn(now);
        }
    }

    /** What is the case now, the oldest first within each state. */
    public List<SchemaItem> look(long now) {
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
                        "ddl waits: shard={} id={} table={} seconds={} has={} lacks={}: it waits for {}; other shards go on;"
                                + " to end the wait: {}",
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
                        "ddl incomplete: id={} table={} state={} seconds={} lacks={}: run it there too, or: {}",
                        item.id(),
                        item.table(),
                        item.state(),
                        item.seconds(),
                        item.lacks(),
                        String.join(" or ", item.commands()));
            }
        }
    }

    private SchemaItem held(Questions.Held held, long now) {
        List<String> commands = new ArrayList<>();
        if (held.question().code() == ErrorCode.DDL_CONFLICT) {
            changes.replacements(held.token())
                    .forEach(text -> commands.add(
                            command(DdlOrder.Verb.TEXT, held.id() + " --text '" + text.replace("'", "'\\''") + "'")));
        }
        commands.add(command(DdlOrder.Verb.SKIP, held.id()));
        commands.add(Questions.command(held));
        return new SchemaItem(
                held.id(),
                SchemaItem.State.HELD,
                null,
                null,
                "",
                seconds(now - held.sinceNanos()),
                held.shardName(),
                held.gtid().toString(),
                held.token().file(),
                held.token().end(),
                held.question().code(),
                held.question().message(),
                List.of(),
                List.of(),
                commands);
    }

    private SchemaItem waiting(WaitingStatement waiting, long now) {
        Token token = waiting.token();
        Part part = waiting.part();
        String shard = changes.names().of(token.shard());
        List<String> has = changes.names().texts(waiting.has());
        return new SchemaItem(
                part == null ? token.ddl().parts().get(0).id() : part.id(),
                SchemaItem.State.WAITING,
                part == null ? token.ddl().parts().get(0).kind() : part.kind(),
                table(part == null ? token.ddl().parts().get(0) : part),
                token.ddl().text(),
                seconds(now - waiting.sinceNanos()),
                shard,
                Gtid.text(token.sid(), token.gno()),
                token.file(),
                token.end(),
                null,
                waiting.reason(),
                has,
                changes.names().texts(waiting.lacks()),
                part == null ? List.of() : commands(part, has.get(0)));
    }

    private static List<String> commands(Part part, String member) {
        String loss = part.removesRows() ? " --accept-loss" : "";
        return List.of(
                command(DdlOrder.Verb.EMIT, part.id() + loss),
                command(DdlOrder.Verb.IGNORE, part.id() + " --member " + member),
                command(DdlOrder.Verb.DONE, part.id() + loss),
                command(DdlOrder.Verb.SKIP, part.id()));
    }

    private static String command(DdlOrder.Verb verb, String rest) {
        return "tributary ddl " + verb.word() + " " + rest + " -c FILE";
    }

    private SchemaItem incomplete(Change change, long now) {
        Part part = change.part();
        boolean isToBeWritten = change.isToBeWritten();
        List<String> lacks = changes.names().texts(changes.lacking(change));
        String loss = part.removesRows() ? " --accept-loss" : "";
        List<String> commands = new ArrayList<>();
        commands.add(command(DdlOrder.Verb.DONE, part.id() + loss));
        if (isToBeWritten) {
            commands.add(command(DdlOrder.Verb.EMIT, part.id() + loss));
        }
        lacks.stream()
                .filter(each -> !isToBeWritten)
                .forEach(each -> commands.add(command(DdlOrder.Verb.IGNORE, part.id() + " --member " + each + loss)));
        return new SchemaItem(
                part.id(),
                isToBeWritten ? SchemaItem.State.COUNTING : SchemaItem.State.PENDING,
                part.kind(),
                table(part),
                change.text(),
                seconds(now - since(change, now)),
                "",
                "",
                "",
                0,
                null,
                isToBeWritten
                        ? "it is written once these members have it too"
                        : "it is written; these members have not had it yet" + note(change),
                changes.names().texts(change.having()),
                lacks,
                commands);
    }

    private String note(Change change) {
        String note = changes.note(change);
        return note.isEmpty() ? "" : "; approximate: " + note + ", the replicas with others";
    }

    /** Since this node has known of it; what the cut brought is known since the start. */
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
     * What a cut says of all this.
     *
     * @param places the place in the cut's list of each shard, by index
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
        return new SchemaState(changes.pending(places), asked, changes.orders(), changes.created());
    }

    /** Whether what a cut says of all this may have changed since this was asked last. */
    public boolean hasChanged() {
        long version = changes.version() + questions.version();
        boolean hasChanged = version != seen;
        seen = version;
        return hasChanged;
    }

    // ---- operators

    /**
     * Carries an operator's order out.
     *
     * @return what was done
     * @throws io.tributary.common.error.TributaryException ORDER_REFUSED
     */
    public String order(DdlOrder order) {
        for (Questions.Held each : questions.all()) {
            if (OperatorOrders.isMeant(order, each.id())) {
                if (order.verb() == DdlOrder.Verb.TEXT) {
                    String done = changes.replace(order, each.token());
                    questions.changed();
                    return done;
                }
                if (order.verb() != DdlOrder.Verb.SKIP) {
                    throw OperatorOrders.refused("expected `tributary ddl skip " + each.id()
                            + "` for a transaction at which shard " + each.shardName() + " is held, found ddl "
                            + order.verb().word());
                }
                return questions.skip(each);
            }
        }
        return changes.order(order);
    }
}
