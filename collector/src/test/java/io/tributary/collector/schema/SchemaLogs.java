package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.collector.TestPayload;
import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Shards s0, s1, ... with tables of schema shop, whose statements {@link SchemaChanges} decides as for an order. Physical tables t_0, t_1, ... are
 * members of t. A statement is logged, received, and processed as soon as it may be, unless its shard {@link #block lags}. After some steps the node
 * restarts from its cut; it gets each shard's list of tables in its state at the end of its log.
 */
final class SchemaLogs implements Queues {
    private final List<String> output = new ArrayList<>();
    private final List<Shard> shards = new ArrayList<>();
    private final Set<String> waits = new HashSet<>();
    private final Set<String> unlisted = new HashSet<>();
    private final IntPredicate restartsAfter;
    private SchemaOrder schema;
    private int steps;
    private int logs;
    private long now;

    /** One shard. */
    private static final class Shard {
        final String name;
        final Tokens log;
        final ArrayDeque<Token> queue = new ArrayDeque<>();
        final Set<TableName> tables = new LinkedHashSet<>(List.of(new TableName("shop", "")));
        GtidSet processed = GtidSet.EMPTY;
        int index;
        boolean isBlocked;
        boolean hasJoined = true;
        Question question;

        Shard(String name, int index, Tokens log, Collection<String> tables) {
            this.name = name;
            this.index = index;
            this.log = log;
            tables.forEach(table -> this.tables.add(table(table)));
        }
    }

    /** @param tables those of each shard, separated by blanks */
    SchemaLogs(IntPredicate restartsAfter, String... tables) {
        this.restartsAfter = restartsAfter;
        for (String each : tables) {
            shards.add(new Shard("s" + logs, logs, new Tokens(logs), names(each)));
            logs++;
        }
        begin(cut());
    }

    private static List<String> names(String tables) {
        return tables.isEmpty() ? List.of() : Arrays.asList(tables.split(" "));
    }

    /** Runs a scenario without a restart, with one after each step, and with one after each single step. */
    static void scenario(String[] tables, Consumer<SchemaLogs> steps) {
        SchemaLogs plain = new SchemaLogs(step -> false, tables);
        steps.accept(plain);
        withAndWithoutRestarts(tables, steps);
        for (int only = 1; only <= plain.steps; only++) {
            int at = only;
            run(tables, step -> step == at, "a restart after step " + at, steps);
        }
    }

    /** The same for a scenario of many steps: all restarts or none. */
    static void withAndWithoutRestarts(String[] tables, Consumer<SchemaLogs> steps) {
        run(tables, step -> false, "no restart", steps);
        run(tables, step -> true, "a restart after each step", steps);
    }

    private static void run(String[] tables, IntPredicate restarts, String what, Consumer<SchemaLogs> steps) {
        try {
            steps.accept(new SchemaLogs(restarts, tables));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("with " + what + ": " + e, e);
        }
    }

    static String[] shards(String... tables) {
        return tables;
    }

    // ---- the node

    private void begin(Cut from) {
        schema = SchemaOrder.of(from, 1, TimeUnit.MINUTES.toNanos(1));
        schema.watch().tick(now);
        for (Shard shard : shards) {
            List<Token> again = shard.queue.stream()
                    .map(token -> Tokens.again(token, shard.index, token.payload()))
                    .toList();
            shard.queue.clear();
            shard.queue.addAll(again);
            again.forEach(schema.changes()::received);
        }
        shards.stream().filter(shard -> !unlisted.contains(shard.name)).forEach(this::list);
    }

    void restart() {
        Cut before = cut();
        for (int index = 0; index < shards.size(); index++) {
            shards.get(index).index = index;
        }
        Cut after = CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(before)));
        assertEquals(before.schema(), after.schema());
        begin(after);
    }

    private Cut cut() {
        List<ShardCut> cuts = shards.stream().map(this::cut).toList();
        return new Cut(
                1,
                steps,
                new Cut.Sources(cuts, Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(schema == null ? SchemaState.NONE : state(), 0));
    }

    private ShardCut cut(Shard shard) {
        boolean isThere = schema != null && shard.hasJoined;
        GtidSet leftOut = isThere ? schema.questions().leftOut(shard.index) : GtidSet.EMPTY;
        return new ShardCut(
                shard.name,
                "",
                new ResumePosition(shard.processed, "", 4),
                shard.processed,
                0,
                0,
                new Cut.LeftOutGtids(leftOut, GtidSet.EMPTY));
    }

    /** The state for a cut. */
    SchemaState state() {
        int[] places = new int[logs];
        for (int place = 0; place < shards.size(); place++) {
            places[shards.get(place).index] = place;
        }
        return schema.watch().state(places);
    }

    private void list(Shard shard) {
        List<ShardTables.Name> names = shard.tables.stream()
                .map(physical -> new ShardTables.Name(logical(physical), physical))
                .toList();
        schema.changes().tables(shard.index, TestSchema.names(shard.log.executed(), names));
    }

    /** From the next restart on, the list of a shard cannot be read. */
    void unlist(int shard) {
        unlisted.add("s" + shard);
    }

    /** The list can be read again. */
    void relist(int shard) {
        unlisted.remove("s" + shard);
        list(shard(shard));
        step();
    }

    private void step() {
        run();
        steps++;
        if (restartsAfter.test(steps)) {
            restart();
            run();
        }
    }

    /** Processes all that may be processed. */
    void run() {
        askAgain();
        boolean hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            while (schema.changes().hasDue()) {
                DueStatement due = schema.changes().pollDue();
                assertEquals(33, due.event().get(due.event().position() + 9), "the size of its event");
                output.add(due.part().id() + "@");
            }
            for (Shard shard : shards) {
                if (!hasMoved && !shard.isBlocked && !shard.queue.isEmpty()) {
                    hasMoved = process(shard);
                }
            }
        }
    }

    private void askAgain() {
        schema.questions().retry();
        for (Shard shard : shards) {
            Token head = shard.queue.peek();
            if (shard.question != null && head != null && !schema.questions().leavesOut(head)) {
                schema.questions().hold(head, shard.question);
            }
        }
    }

    private boolean process(Shard shard) {
        Token token = shard.queue.peek();
        if (!schema.changes().mayProcess(token, this)) {
            return false;
        }
        boolean[] written = schema.changes().process(token);
        for (int i = 0; i < written.length; i++) {
            if (written[i]) {
                output.add(token.ddl().parts().get(i).id() + "@" + shard.name);
            }
        }
        shard.queue.poll();
        shard.processed = shard.processed.plus(token.sid(), token.gno());
        return true;
    }

    @Override
    public boolean isAt(int index, String partId) {
        return shards.stream()
                .anyMatch(shard -> shard.index == index
                        && !shard.isBlocked
                        && !shard.queue.isEmpty()
                        && shard.queue.peek().ddl().parts().get(0).id().equals(partId));
    }

    @Override
    public boolean waitsFor(int index, int other) {
        return waits.contains(name(index) + name(other));
    }

    private String name(int index) {
        return shards.stream().filter(shard -> shard.index == index).findFirst().orElseThrow().name;
    }

    private Shard shard(int number) {
        return shards.stream()
                .filter(shard -> shard.name.equals("s" + number))
                .findFirst()
                .orElseThrow();
    }

    // ---- lagging shards

    /** The next token of the shard is delayed: the shard lags. */
    void block(int shard) {
        shard(shard).isBlocked = true;
    }

    void unblock(int shard) {
        shard(shard).isBlocked = false;
        step();
    }

    /** A shard cannot continue before another one has. */
    void waitsForOther(int shard, int other) {
        waits.add("s" + shard + "s" + other);
    }

    void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
        schema.watch().tick(now);
    }

    /** One more shard joins, which executed these statements before. */
    void join(String tables, String... had) {
        Shard shard = new Shard("s" + logs, indexes(), new Tokens(logs), names(tables));
        logs++;
        shard.hasJoined = false;
        schema.join(shard.index, cut(shard));
        shard.hasJoined = true;
        shards.add(shard);
        for (String id : had) {
            schema.changes().hadBefore(one(DdlKind.FORWARD, id, false, Effect.CHANGES, "t"), shard.index);
        }
        list(shard);
        schema.changes().joined(shard.index);
        step();
    }

    private int indexes() {
        return shards.stream().mapToInt(shard -> shard.index).max().orElse(-1) + 1;
    }

    void leave(int shard) {
        Shard left = shard(shard);
        shards.remove(left);
        schema.leave(left.index);
        step();
    }

    // ---- statements

    void create(int shard, String table) {
        log(shard, one(DdlKind.NEW, "create-" + base(table), false, Effect.CREATES, table));
    }

    void createIfNotExists(int shard, String table) {
        log(shard, one(DdlKind.NEW, "create-" + base(table), true, Effect.CREATES, table));
    }

    void drop(int shard, String table) {
        log(shard, one(DdlKind.WAIT, "drop-" + base(table), false, Effect.REMOVES, table));
    }

    void dropIfExists(int shard, String table) {
        log(shard, one(DdlKind.WAIT, "drop-" + base(table), true, Effect.REMOVES, table));
    }

    void truncate(int shard, String table) {
        log(shard, one(DdlKind.WAIT, "truncate-" + base(table), false, Effect.EMPTIES, table));
    }

    void alter(int shard, String table) {
        alter("alter-" + base(table), shard, table);
    }

    void alter(String id, int shard, String table) {
        log(shard, one(DdlKind.FORWARD, id, false, Effect.CHANGES, table));
    }

    void index(int shard, String table) {
        log(shard, one(DdlKind.EARLY, "index-" + base(table), false, Effect.CHANGES, table));
    }

    void unique(int shard, String table) {
        log(shard, one(DdlKind.LATE, "unique-" + base(table), false, Effect.CHANGES, table));
    }

    void partition(int shard, String table) {
        log(shard, one(DdlKind.WAIT, "partition-" + base(table), false, Effect.EMPTIES_PARTITIONS, table));
    }

    void exchange(int shard, String table, String other) {
        List<Target> targets =
                List.of(target(Effect.EMPTIES_PARTITIONS, table), target(Effect.EMPTIES_PARTITIONS, other));
        log(shard, ddl(new Part(DdlKind.WAIT, "exchange-" + base(table), false, false, targets)));
    }

    void dropSchema(int shard) {
        log(shard, one(DdlKind.WAIT, "drop-schema", false, Effect.REMOVES, ""));
    }

    void createSchema(int shard) {
        log(shard, one(DdlKind.NEW, "create-schema", false, Effect.CREATES, ""));
    }

    /** Names in pairs: from, to. */
    void rename(int shard, String... names) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            targets.add(target(i % 2 == 0 ? Effect.RENAMES : Effect.BECOMES, names[i]));
        }
        DdlKind kind = names.length == 2 ? DdlKind.FORWARD : DdlKind.WAIT;
        log(shard, ddl(new Part(kind, "rename-" + base(names[0]), kind == DdlKind.WAIT, false, targets)));
    }

    void text(String id, int shard) {
        log(shard, ddl(new Part(DdlKind.TEXT, id, false, false, List.of())));
    }

    private static Ddl one(DdlKind kind, String id, boolean isConditional, Effect effect, String table) {
        boolean reshapes = kind == DdlKind.FORWARD || kind == DdlKind.NEW;
        return ddl(new Part(kind, id, reshapes, isConditional, List.of(target(effect, table))));
    }

    static Ddl ddl(Part... parts) {
        return new Ddl("DDL", parts[0].id(), List.of(parts));
    }

    static Target target(Effect effect, String table) {
        return new Target(effect, logical(table(table)), table(table));
    }

    void log(int number, Ddl ddl) {
        Shard shard = shard(number);
        TestPayload payload = new TestPayload(new AtomicInteger());
        for (Part part : ddl.parts()) {
            payload.query("");
            part.targets().forEach(target -> apply(shard, target));
        }
        Token token = Tokens.again(shard.log.ddl(ddl, payload), shard.index, payload.inOnePiece());
        shard.queue.add(token);
        schema.changes().received(token);
        step();
    }

    private static void apply(Shard shard, Target target) {
        TableName name = target.physical();
        switch (target.effect()) {
            case CREATES, BECOMES -> shard.tables.add(name);
            case REMOVES, RENAMES ->
                shard.tables.removeIf(each -> each.equals(name)
                        || name.table().isEmpty() && each.schema().equals(name.schema()));
            default -> {}
        }
    }

    private static TableName table(String name) {
        return new TableName("shop", name);
    }

    private static TableName logical(TableName physical) {
        return table(base(physical.table()));
    }

    private static String base(String table) {
        return table.replaceFirst("_\\d$", "");
    }

    // ---- results

    SchemaOrder schema() {
        return schema;
    }

    /** The shard lags at its next statement, which needs an operator's decision. */
    void hold(int shard, Question question) {
        shard(shard).isBlocked = true;
        shard(shard).question = question;
        step();
    }

    int indexOf(int shard) {
        return shard(shard).index;
    }

    void wrote(String... statements) {
        assertEquals(List.of(statements), output);
    }

    List<String> output() {
        return output;
    }

    /** The state for a cut, without the recently created tables. */
    SchemaState underWay() {
        SchemaState all = state();
        return new SchemaState(all.pending(), all.questions(), all.decisions(), List.of());
    }

    /** No statement is incomplete. */
    void isComplete() {
        assertEquals(List.of(), items());
        assertEquals(SchemaState.NONE, underWay());
    }

    List<SchemaItem> items() {
        return schema.watch().currentItems(now);
    }

    SchemaItem item(SchemaItem.State state) {
        return items().stream()
                .filter(item -> item.state() == state)
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected " + state + ", found " + items()));
    }

    void execute(DdlDecision decision) {
        schema.watch().execute(decision);
        step();
    }

    /** What to do with rows: "", "left out", or the name under which they are written. */
    String rows(int shard, String table) {
        TableName physical = table(table);
        TableRef ref = new TableRef(1, 1, new TableName("shop", base(table)), physical, true);
        RowRule rule = schema.changes().ruleOf(shard(shard).index, ref);
        assertEquals(rule != null, rule != null && schema.changes().hasRules());
        return rule == null ? "" : rule.isLeftOut() ? "left out" : rule.name().table();
    }
}
