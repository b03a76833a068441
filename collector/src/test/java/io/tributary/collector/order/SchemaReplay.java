package io.tributary.collector.order;

import io.tributary.collector.TestPayload;
import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.SchemaSchedule.Entry;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.MemberDefinition;
import io.tributary.collector.schema.RowRule;
import io.tributary.collector.schema.SchemaJournal;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.store.JournalMap;
import io.tributary.testkit.schema.ModelStep;
import io.tributary.testkit.schema.ModelTable;
import io.tributary.testkit.schema.SchemaModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Feeds a {@link SchemaSchedule} to {@link XaOrder} with restarts at random cuts, applies the output to a replica, with rows in the columns of the
 * order's definitions, and checks the state equation of {@link SchemaModel} at each transaction.
 */
final class SchemaReplay implements TransactionSink {
    /** A mutation of the rules. */
    enum Mutation {
        NONE,
        /** Statements are counted by shard. */
        COUNT_BY_SHARD,
        /** A change of columns is written at the last member. */
        TRAILING_EDGE,
        /** A statement counts as received only when everything before it has been processed. */
        WAIT_FOR_PROCESSED,
        /** Columns are matched by their positions. */
        BY_POSITION,
        /** Columns are matched only by their names. */
        FORGET_RENAMES,
        /** A restart treats all members as conforming. */
        FORGET_DEVIATIONS,
        /** A constraint is written at the first member. */
        LATE_FIRST,
        /** A column that a member lacks is NULL. */
        NULL_FOR_DEFAULT
    }

    private static final String MEMBERS = "m\0";

    private final SchemaSchedule schedule;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final SchemaModel model;
    private final ReplayedLogs logs;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, TableRef> refs = new TreeMap<>();
    private final Map<String, ModelStep> steps = new HashMap<>();
    private final JournalMap journal = JournalMap.onHeap();
    private SchemaOrder schema;
    private XaOrder order;
    private Cut cut;

    SchemaReplay(SchemaSchedule schedule, SplittableRandom random, Mutation mutation) {
        this.schedule = schedule;
        this.random = random;
        this.mutation = mutation;
        this.model = new SchemaModel(schedule.steps, schedule.members);
        schedule.steps.forEach(step -> steps.put(step.text(), step));
        List<List<Token>> tokens = new ArrayList<>();
        for (int shard = 0; shard < schedule.logs.size(); shard++) {
            tokens.add(tokens(shard));
        }
        logs = new ReplayedLogs(tokens, random);
        cut = Tokens.firstCut(tokens.size());
    }

    private List<Token> tokens(int shard) {
        Tokens log = new Tokens(shard);
        List<Token> all = new ArrayList<>();
        for (Entry entry : schedule.logs.get(shard)) {
            Token token = switch (entry.sort()) {
                case LOCAL -> log.local(null, ref(entry));
                case PREPARE ->
                    log.prepare(Tokens.xid("x" + entry.number(), shard + "-" + entry.physical()), null, ref(entry));
                case COMMIT -> log.commit(Tokens.xid("x" + entry.number(), shard + "-" + entry.physical()));
                case ROUND -> log.round(entry.number());
                case STATEMENT -> log.ddl(ddl(entry), null);
            };
            entries.put(shard + ":" + token.gno(), entry);
            all.add(token);
        }
        return all;
    }

    private TableName physical(TableName name) {
        return mutation == Mutation.COUNT_BY_SHARD ? SchemaSchedule.TABLE : name;
    }

    private TableRef ref(Entry entry) {
        TableName name = physical(entry.physical());
        return refs.computeIfAbsent(
                name.toString(), any -> new TableRef(refs.size() + 1, 1, new TableName("shop", "t"), name, true));
    }

    private Ddl ddl(Entry entry) {
        DdlKind kind = switch (entry.step().kind()) {
            case CREATE -> DdlKind.NEW;
            case ADD, DROP_COLUMN, RENAME, SWAP -> mutation == Mutation.TRAILING_EDGE ? DdlKind.LATE : DdlKind.FORWARD;
            case INDEX, DROP_CHECK -> DdlKind.EARLY;
            case CHECK -> mutation == Mutation.LATE_FIRST ? DdlKind.EARLY : DdlKind.LATE;
            case TRUNCATE, DROP -> DdlKind.WAIT;
        };
        Effect effect = switch (entry.step().kind()) {
            case CREATE -> Effect.CREATES;
            case TRUNCATE -> Effect.EMPTIES;
            case DROP -> Effect.REMOVES;
            default -> Effect.CHANGES;
        };
        Ddl ddl = TestSchema.ddl(kind, entry.step().text(), effect, SchemaSchedule.TABLE, physical(entry.physical()));
        return new Ddl(ddl.verb(), entry.step().text(), ddl.parts());
    }

    // ---- the node

    /** @throws AssertionError if the equation does not hold, a replica would stop, or nothing is emitted any more */
    void run() {
        begin();
        int idle = 0;
        while (order.queued() > 0 || !logs.areAllReceived()) {
            boolean hasMoved = receive();
            for (int most = random.nextInt(6); most > 0 && order.process(); most--) {
                hasMoved = true;
            }
            order.tick(0);
            idle = hasMoved ? 0 : idle + 1;
            if (idle > 60) {
                throw new AssertionError(
                        "nothing is emitted any more:  " + schema.watch().currentItems(0));
            }
            if (random.nextInt(40) == 0) {
                cut = order.cut(1, cut.number() + 1, 0, 0);
                order.close();
                begin();
            }
        }
        model.check();
    }

    private void begin() {
        if (mutation == Mutation.FORGET_DEVIATIONS) {
            List<String> keys = new ArrayList<>();
            journal.forEach(MEMBERS, (key, value) -> keys.add(key));
            keys.forEach(journal::remove);
        }
        schema = SchemaOrder.of(cut, new SchemaJournal(journal), 0, Long.MAX_VALUE);
        order = XaOrders.of(cut, schema, this);
        logs.resume(cut);
        for (int shard = 0; shard < logs.shards(); shard++) {
            schema.changes().tables(shard, listing(shard));
        }
    }

    private ShardTables listing(int shard) {
        return logs.listing(
                shard,
                cut,
                schedule.creates,
                executed -> schedule.tables(shard, executed).stream()
                        .map(this::physical)
                        .distinct()
                        .collect(Collectors.toMap(name -> name, name -> SchemaSchedule.TABLE)));
    }

    private boolean receive() {
        boolean isWaiting = mutation == Mutation.WAIT_FOR_PROCESSED && order.queued() >= logs.shards();
        Token token = isWaiting ? null : logs.next();
        if (token == null) {
            return false;
        }
        order.receive(readAgain(token));
        return true;
    }

    /** The token with its own payload. */
    private Token readAgain(Token token) {
        if (token.ddl() == null) {
            return token;
        }
        TestPayload payload =
                new TestPayload(new AtomicInteger()).query(token.ddl().text());
        return Tokens.again(token, token.shard(), payload.inOnePiece());
    }

    // ---- the replica

    @Override
    public Question questionOf(Token token) {
        token.tables().forEach(ref -> schema.changes().rows(token.shard(), ref));
        return null;
    }

    @Override
    public void local(Token token) {
        rows(token);
        model.check();
    }

    @Override
    public long distributed(DistributedTransaction transaction) {
        transaction.branches().forEach(branch -> rows(branch.prepare()));
        model.check();
        return 1;
    }

    private void rows(Token token) {
        Entry entry = entries.get(token.shard() + ":" + token.gno());
        Map<String, String> row = entry.row();
        ModelTable own = model.member(SchemaSchedule.name(token.shard(), entry.physical()));
        boolean isDeleted = row.size() == 1;
        if (isDeleted) {
            own.remove(row.get(ModelTable.KEY));
        } else {
            own.put(row);
        }
        RowRule rule = schema.changes().ruleOf(token.shard(), token.tables().get(0));
        if (rule != null && rule.isLeftOut()) {
            return;
        }
        if (isDeleted) {
            model.replica().remove(row.get(ModelTable.KEY));
        } else {
            model.replica().put(reshaped(row, token));
        }
    }

    /** Rewrites a row like the collector, with its definitions. */
    private Map<String, String> reshaped(Map<String, String> row, Token token) {
        TableRef ref = token.tables().get(0);
        if (!schema.changes().deviates(token.shard(), ref)) {
            return row;
        }
        TableName name = schema.changes().nameInOutput(token.shard(), ref);
        TableDefinition output = schema.changes().definitions().inOutput(name).orElseThrow(AssertionError::new);
        MemberDefinition own = schema.changes().definitions().of(name, token.shard(), ref.physical());
        Map<String, String> made = new TreeMap<>();
        Iterator<String> values = row.values().iterator();
        for (Column column : output.columns()) {
            String missing = column.defaultValue() instanceof Default.Literal literal ? literal.value() : null;
            made.put(column.name(), mutation == Mutation.NULL_FOR_DEFAULT ? null : missing);
            if (mutation == Mutation.BY_POSITION && values.hasNext()) {
                made.put(column.name(), values.next());
            }
        }
        if (mutation != Mutation.BY_POSITION) {
            row.forEach((column, value) -> {
                String target = mutation == Mutation.FORGET_RENAMES ? column : own.nameInOutput(column);
                if (made.containsKey(target)) {
                    made.put(target, value);
                }
            });
        }
        return made;
    }

    @Override
    public void ddl(Token token, boolean[] written) {
        Entry entry = entries.get(token.shard() + ":" + token.gno());
        model.processed(SchemaSchedule.name(token.shard(), entry.physical()));
        if (written[0]) {
            model.replica().apply(entry.step());
        }
        model.check();
    }

    @Override
    public void statement(DueStatement statement) {
        model.replica().apply(steps.get(statement.part().id()));
    }

    @Override
    public void committed(Token commit, long number) {}
}
