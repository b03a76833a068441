package io.tributary.collector.schema;

import io.tributary.collector.TestPayload;
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
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.list.TableTexts;
import io.tributary.store.JournalMap;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shards s0, s1, ..., each with one table shop.t_0, shop.t_1, ...: members of shop.t, which have definitions. Statements are logged and received at
 * once, and processed when they may be; one that may not stays at the head of its shard's queue. Cut and journal outlive a {@link #restart}.
 */
final class DefinedTables implements Queues {
    static final TableName TABLE = new TableName("shop", "t");

    /** The name of {@link #TABLE} after RENAME. */
    static final TableName RENAMED = new TableName("shop", "u");

    private final List<String> output = new ArrayList<>();
    private final List<Shard> shards = new ArrayList<>();
    private final JournalMap journal = JournalMap.onHeap();
    private SchemaRules rules = SchemaRules.STANDARD;
    private SchemaOrder schema;
    private Question question;

    /** One shard. */
    private static final class Shard {
        final Tokens log;
        final TableTexts texts;
        TableTexts hidden = TableTexts.NONE;
        final List<ShardTables.Name> names = new ArrayList<>();
        final ArrayDeque<Token> queue = new ArrayDeque<>();
        GtidSet processed = GtidSet.EMPTY;
        ServerVersion server;

        Shard(int number, ServerVersion server, String create) {
            this.server = server;
            this.log = new Tokens(number);
            this.texts = new TableTexts.Builder().add(physical(number), create).build();
            TableName schema = new TableName("shop", "");
            this.names.add(new ShardTables.Name(schema, schema));
            this.names.add(new ShardTables.Name(TABLE, physical(number)));
        }

        /** The list at the end of the log; with the definitions if nothing has been logged. */
        ShardTables list() {
            GtidSet executed = log.executed();
            return new ShardTables(
                    server,
                    new ShardTables.ReadSpan(executed, executed),
                    names,
                    executed.isEmpty() ? texts : hidden,
                    List.of());
        }
    }

    /** @param creates CREATE TABLE of each shard's table */
    DefinedTables(String... creates) {
        this(ServerVersion.STANDARD, creates);
    }

    /** On servers of this kind. */
    DefinedTables(ServerVersion server, String... creates) {
        this(server, List.of(creates));
        list();
    }

    private DefinedTables(ServerVersion server, List<String> creates) {
        for (int number = 0; number < creates.size(); number++) {
            shards.add(new Shard(number, server, creates.get(number)));
        }
        begin(cut());
    }

    /** The same table on each of some shards whose lists of tables are not received yet. */
    static DefinedTables unlisted(int shards, String create) {
        return new DefinedTables(ServerVersion.STANDARD, Collections.nCopies(shards, create));
    }

    /** From now on the statements of a shard are of another server, as after an upgrade. */
    void becomes(int shard, ServerVersion server) {
        shards.get(shard).server = server;
    }

    /** The same table on each of some shards. */
    static DefinedTables of(int shards, String create) {
        String[] creates = new String[shards];
        Arrays.fill(creates, create);
        return new DefinedTables(creates);
    }

    /** Adds a hidden table to the list of a shard, from the next restart on. */
    void listsHidden(int shard, TableName table, String create) {
        shards.get(shard).hidden = new TableTexts.Builder().add(table, create).build();
    }

    static TableName physical(int shard) {
        return new TableName("shop", "t_" + shard);
    }

    private void begin(Cut from) {
        schema = SchemaOrder.of(from, new SchemaJournal(journal), 1, TimeUnit.MINUTES.toNanos(1));
        schema.changes().rules(rules);
    }

    /** The shards' lists of tables are received, and what they have logged. */
    void list() {
        for (int shard = 0; shard < shards.size(); shard++) {
            shards.get(shard).queue.forEach(schema.changes()::received);
            schema.changes().tables(shard, shards.get(shard).list());
        }
        run();
    }

    /** One more shard with this table joins. */
    void join(String create) {
        int index = shards.size();
        Shard shard = new Shard(index, ServerVersion.STANDARD, create);
        schema.join(
                index,
                new ShardCut(
                        "s" + index,
                        "",
                        new ResumePosition(GtidSet.EMPTY, "", 4),
                        GtidSet.EMPTY,
                        0,
                        0,
                        Cut.LeftOutGtids.NONE));
        shards.add(shard);
        schema.changes().tables(index, shard.list());
        schema.changes().joined(index);
        run();
    }

    private Cut cut() {
        List<ShardCut> cuts = new ArrayList<>();
        int[] places = new int[shards.size()];
        for (int shard = 0; shard < shards.size(); shard++) {
            GtidSet processed = shards.get(shard).processed;
            GtidSet leftOut =
                    schema == null ? GtidSet.EMPTY : schema.questions().leftOut(shard);
            cuts.add(new ShardCut(
                    "s" + shard,
                    "",
                    new ResumePosition(processed, "", 4),
                    processed,
                    0,
                    0,
                    new Cut.LeftOutGtids(leftOut, GtidSet.EMPTY)));
            places[shard] = shard;
        }
        SchemaState state = schema == null ? SchemaState.NONE : schema.watch().state(places);
        Cut cut = new Cut(
                1, 1, new Cut.Sources(cuts, Set.of()), new Cut.OutputPoint(0, 0, 0), new Cut.SchemaPoint(state, 0));
        return journal.number() == 0 ? cut : cut.behindChange(journal.number());
    }

    /** The node ends after a cut and starts again. */
    void restart() {
        restartUnlisted();
        list();
    }

    /** The same before the shards' lists of tables are received. */
    void restartUnlisted() {
        schema.journal().take();
        begin(CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(cut()))));
    }

    void rules(SchemaRules others) {
        rules = others;
        schema.changes().rules(others);
        run();
    }

    SchemaOrder schema() {
        return schema;
    }

    SchemaChanges changes() {
        return schema.changes();
    }

    /** The items that are shown. */
    List<SchemaItem> items() {
        return schema.watch().currentItems(0);
    }

    /** The only item that is shown. */
    SchemaItem item() {
        if (items().size() != 1) {
            throw new AssertionError("expected one entry, found " + items());
        }
        return items().get(0);
    }

    String execute(DdlDecision decision) {
        String done = schema.watch().execute(decision);
        run();
        return done;
    }

    /** The statements that were written since the last call. */
    List<String> output() {
        List<String> written = List.copyOf(output);
        output.clear();
        return written;
    }

    // ---- statements

    /** ALTER TABLE t ITEMS, which changes columns. */
    void alter(int shard, String items) {
        log(shard, DdlKind.FORWARD, true, Effect.CHANGES, "ALTER TABLE t " + items);
    }

    /** ALTER TABLE t ITEMS, which only adds generated columns, or indexes of them. */
    void addGenerated(int shard, String items) {
        log(shard, DdlKind.LATE, true, Effect.CHANGES, "ALTER TABLE t " + items);
    }

    /** ALTER TABLE t ITEMS, which changes indexes. */
    void index(int shard, String items) {
        log(shard, DdlKind.EARLY, false, Effect.CHANGES, "ALTER TABLE t " + items);
    }

    /** ALTER TABLE t ITEMS, which adds constraints. */
    void constrain(int shard, String items) {
        log(shard, DdlKind.LATE, false, Effect.CHANGES, "ALTER TABLE t " + items);
    }

    void create(int shard, String text) {
        log(shard, DdlKind.NEW, true, Effect.CREATES, text);
    }

    /** CREATE TABLE u .... */
    void createRenamed(int shard, String text) {
        Target target = new Target(Effect.CREATES, RENAMED, renamed(shard));
        log(shard, new Part(DdlKind.NEW, "u", true, false, List.of(target)), text);
    }

    /** RENAME TABLE t TO u. */
    void rename(int shard) {
        Target to = new Target(Effect.BECOMES, RENAMED, renamed(shard));
        Target from = new Target(Effect.RENAMES, TABLE, physical(shard));
        log(shard, new Part(DdlKind.FORWARD, "rename", false, false, List.of(from, to)), "RENAME TABLE t TO u");
    }

    /** RENAME TABLE u TO v. */
    void renameAgain(int shard) {
        Target to = new Target(Effect.BECOMES, new TableName("shop", "v"), new TableName("shop", "v_" + shard));
        Target from = new Target(Effect.RENAMES, RENAMED, renamed(shard));
        log(shard, new Part(DdlKind.FORWARD, "again", false, false, List.of(from, to)), "RENAME TABLE u TO v");
    }

    /** RENAME TABLE t TO m, m TO u. */
    void renameInSteps(int shard) {
        TableName middle = new TableName("shop", "m");
        TableName ofShard = new TableName("shop", "m_" + shard);
        List<Target> targets = List.of(
                new Target(Effect.RENAMES, TABLE, physical(shard)),
                new Target(Effect.BECOMES, middle, ofShard),
                new Target(Effect.RENAMES, middle, ofShard),
                new Target(Effect.BECOMES, RENAMED, renamed(shard)));
        log(shard, new Part(DdlKind.WAIT, "steps", true, false, targets), "RENAME TABLE t TO m, m TO u");
    }

    /** TRUNCATE u. */
    void truncateRenamed(int shard) {
        Target target = new Target(Effect.EMPTIES, RENAMED, renamed(shard));
        log(shard, new Part(DdlKind.WAIT, "truncate u", false, false, List.of(target)), "TRUNCATE u");
    }

    /** CREATE TABLE x. */
    void createOther(int shard) {
        log(shard, new Part(DdlKind.NEW, "x", true, false, List.of(other(Effect.CREATES))), "CREATE TABLE x (id INT)");
    }

    /** TRUNCATE x, at which a shard waits for the others that have the table. */
    void truncateOther(int shard) {
        log(shard, new Part(DdlKind.WAIT, "truncate x", false, false, List.of(other(Effect.EMPTIES))), "TRUNCATE x");
    }

    private static Target other(Effect effect) {
        TableName name = new TableName("shop", "x");
        return new Target(effect, name, name);
    }

    /** ALTER TABLE u ITEMS, which changes columns. */
    void alterRenamed(int shard, String items) {
        Target target = new Target(Effect.CHANGES, RENAMED, renamed(shard));
        log(shard, new Part(DdlKind.FORWARD, "u " + items, true, false, List.of(target)), "ALTER TABLE u " + items);
    }

    private static TableName renamed(int shard) {
        return new TableName("shop", "u_" + shard);
    }

    void drop(int shard) {
        log(shard, DdlKind.WAIT, true, Effect.REMOVES, "DROP TABLE t");
    }

    void truncate(int shard) {
        log(shard, DdlKind.WAIT, false, Effect.EMPTIES, "TRUNCATE t");
    }

    /** A swap of t with a copy: ALTER TABLE t ITEMS. */
    void swap(int shard, String items, HiddenChange change) {
        String text = "ALTER TABLE t " + items;
        log(shard, part(shard, DdlKind.FORWARD, true, Effect.CHANGES, text), text, change);
    }

    /** A statement that is not written. */
    void hide(int number, HiddenChange change) {
        Shard shard = shards.get(number);
        Token token = shard.log.skipped(change);
        shard.queue.add(token);
        schema.changes().received(token);
        run();
    }

    private void log(int number, DdlKind kind, boolean reshapes, Effect effect, String text) {
        log(number, part(number, kind, reshapes, effect, text), text);
    }

    private static Part part(int number, DdlKind kind, boolean reshapes, Effect effect, String text) {
        String id = String.format("%016x", text.hashCode() & 0xffff_ffffL);
        return new Part(kind, id, reshapes, false, List.of(new Target(effect, TABLE, physical(number))));
    }

    private void log(int number, Part part, String text) {
        log(number, part, text, HiddenChange.NONE);
    }

    private void log(int number, Part part, String text, HiddenChange change) {
        Shard shard = shards.get(number);
        TestPayload payload = new TestPayload(new AtomicInteger());
        payload.query(text);
        Ddl ddl = new Ddl(text.substring(0, 4), text, List.of(part), change, shard.server);
        Token token = shard.log.ddl(ddl, payload.inOnePiece());
        shard.queue.add(token);
        for (Target target : part.targets()) {
            ShardTables.Name name = new ShardTables.Name(target.logical(), target.physical());
            shard.names.remove(name);
            if (target.effect() != Effect.REMOVES && target.effect() != Effect.RENAMES) {
                shard.names.add(name);
            }
        }
        schema.changes().received(token);
        run();
    }

    private void run() {
        schema.questions().retry();
        boolean hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            while (schema.changes().hasDue()) {
                output.add(text(schema.changes().pollDue().event()));
            }
            for (Shard shard : shards) {
                hasMoved |= !shard.queue.isEmpty() && process(shard);
            }
        }
    }

    private boolean process(Shard shard) {
        Token token = shard.queue.peek();
        if (token.ddl() == null) {
            schema.changes().hidden(token);
            shard.queue.poll();
            shard.processed = shard.processed.plus(token.sid(), token.gno());
            return true;
        }
        if (!schema.changes().mayProcess(token, this)) {
            return false;
        }
        question = schema.changes().conflict(token);
        if (question != null && !schema.questions().leavesOut(token)) {
            schema.questions().hold(token, question);
            return false;
        }
        shard.queue.poll();
        boolean[] written = schema.changes().process(token);
        for (int place = 0; place < written.length; place++) {
            if (written[place]) {
                output.add(text(StatementEvents.copy(token.payload(), place)));
            }
        }
        shard.processed = shard.processed.plus(token.sid(), token.gno());
        return true;
    }

    private static String text(ByteBuffer event) {
        return Statement.of(event, ServerVersion.STANDARD).text();
    }

    @Override
    public boolean isAt(int shard, String partId) {
        Token head = shards.get(shard).queue.peek();
        return head != null
                && head.ddl() != null
                && head.ddl().parts().get(0).id().equals(partId);
    }

    @Override
    public boolean waitsFor(int shard, int other) {
        return false;
    }
}
