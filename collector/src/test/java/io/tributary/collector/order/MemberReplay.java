package io.tributary.collector.order;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.MemberSchedule.Entry;
import io.tributary.collector.order.MemberSchedule.Kind;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.RowRule;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Feeds a {@link MemberSchedule} to {@link XaOrder} with restarts at random cuts, and applies the output like a replica. */
final class MemberReplay implements TransactionSink {
    /** A mutation of the rules. */
    enum Mutation {
        NONE,
        /** The statement is written at the first member, and all rows are written. */
        FIRST,
        /** The statement is written at the last member. */
        LAST,
        /** Each member waits until the others have reached theirs, even if they wait for it. */
        BARRIER,
        /** A statement counts as received only when everything before it has been processed. */
        PROCESSED,
        /** Statements are counted by shard. */
        BY_SHARD
    }

    /** The final state of the replica. */
    enum Outcome {
        RIGHT,
        WRONG,
        STOPPED,
        STUCK
    }

    private static final Payload QUERY = new Statement();

    private final MemberSchedule schedule;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final ReplayedLogs logs;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<TableName, TableRef> refs = new TreeMap<>(java.util.Comparator.comparing(TableName::toString));
    private final Set<Integer> rows = new HashSet<>();
    private boolean exists;
    private int renames;
    private boolean hasStopped;
    private SchemaOrder schema;
    private XaOrder order;
    private Cut cut;

    MemberReplay(MemberSchedule schedule, SplittableRandom random, Mutation mutation) {
        this.schedule = schedule;
        this.random = random;
        this.mutation = mutation;
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
            Token token = switch (entry.kind()) {
                case LOCAL -> log.local(null, ref(entry));
                case PREPARE ->
                    log.prepare(Tokens.xid("x" + entry.number(), shard + "-" + entry.physical()), null, ref(entry));
                case COMMIT -> log.commit(Tokens.xid("x" + entry.number(), shard + "-" + entry.physical()));
                case ROUND -> log.round(entry.number());
                case CREATE -> log.ddl(ddl(entry, DdlKind.NEW, Effect.CREATES), QUERY);
                case TRUNCATE -> log.ddl(ddl(entry, DdlKind.WAIT, Effect.EMPTIES), QUERY);
                case RENAME -> log.ddl(rename(entry, DdlKind.FORWARD), QUERY);
                case RENAME_TWICE -> log.ddl(rename(entry, DdlKind.WAIT), QUERY);
                case DROP -> log.ddl(ddl(entry, DdlKind.WAIT, Effect.REMOVES), QUERY);
            };
            entries.put(shard + ":" + token.gno(), entry);
            all.add(token);
        }
        return all;
    }

    private TableName physical(TableName logical, TableName physical) {
        return mutation == Mutation.BY_SHARD ? logical : physical;
    }

    private TableRef ref(Entry entry) {
        return refs.computeIfAbsent(
                physical(entry.logical(), entry.physical()),
                name -> new TableRef(
                        refs.size() + 1,
                        1,
                        new TableName("shop", entry.logical().table()),
                        name,
                        true));
    }

    private Ddl ddl(Entry entry, DdlKind kind, Effect effect) {
        DdlKind other = mutation == Mutation.LAST && kind == DdlKind.WAIT ? DdlKind.LATE : kind;
        Effect others = mutation == Mutation.BARRIER && kind == DdlKind.WAIT ? Effect.EMPTIES_PARTITIONS : effect;
        return TestSchema.ddl(other, id(entry), others, entry.logical(), physical(entry.logical(), entry.physical()));
    }

    /** RENAME TABLE t TO t1, or RENAME TABLE t TO m, m TO t1. */
    private Ddl rename(Entry entry, DdlKind kind) {
        List<TableName> names = new ArrayList<>(List.of(entry.logical()));
        if (entry.kind() == Kind.RENAME_TWICE) {
            names.add(MemberSchedule.middle(entry.number()));
        }
        names.add(MemberSchedule.logical(entry.number() + 1));
        List<Ddl.Target> targets = new ArrayList<>();
        for (int i = 0; i + 1 < names.size(); i++) {
            targets.add(target(Effect.RENAMES, entry, names.get(i)));
            targets.add(target(Effect.BECOMES, entry, names.get(i + 1)));
        }
        boolean isTwice = entry.kind() == Kind.RENAME_TWICE;
        return new Ddl("RENAME TABLE", id(entry), List.of(new Ddl.Part(kind, id(entry), isTwice, false, targets)));
    }

    private Ddl.Target target(Effect effect, Entry entry, TableName logical) {
        return new Ddl.Target(effect, logical, physical(logical, MemberSchedule.under(entry, logical)));
    }

    private static String id(Entry entry) {
        return entry.kind() + " " + entry.number();
    }

    Outcome run() {
        begin();
        int idle = 0;
        while (!isDone()) {
            boolean hasMoved = receive();
            for (int most = random.nextInt(6); most > 0 && !hasStopped && order.process(); most--) {
                hasMoved = true;
            }
            order.tick(0);
            if (hasStopped) {
                return Outcome.STOPPED;
            }
            idle = hasMoved ? 0 : idle + 1;
            if (idle > 50) {
                return Outcome.STUCK;
            }
            if (mutation == Mutation.FIRST) {
                writeWhatWaits();
            }
            if (random.nextInt(40) == 0) {
                cut = order.cut(1, cut.number() + 1, 0, 0);
                order.close();
                begin();
            }
        }
        return exists && rows.equals(schedule.rows) ? Outcome.RIGHT : Outcome.WRONG;
    }

    private boolean isDone() {
        return order.queued() == 0 && logs.areAllReceived();
    }

    private void begin() {
        schema = SchemaOrder.of(cut, 0, Long.MAX_VALUE);
        order = XaOrders.of(cut, schema, this);
        logs.resume(cut);
        for (int shard = 0; shard < logs.shards(); shard++) {
            schema.changes().tables(shard, listing(shard));
        }
    }

    private ShardTables listing(int shard) {
        return logs.listing(shard, cut, schedule.creates, executed -> {
            Map<TableName, TableName> tables = new HashMap<>();
            schedule.tables(shard, executed)
                    .forEach((physical, logical) -> tables.put(physical(logical, physical), logical));
            return tables;
        });
    }

    private boolean receive() {
        boolean isWaiting = mutation == Mutation.PROCESSED && order.queued() >= logs.shards();
        Token token = isWaiting ? null : logs.next();
        if (token == null) {
            return false;
        }
        order.receive(token);
        return true;
    }

    private void writeWhatWaits() {
        for (SchemaItem item : schema.watch().currentItems(0)) {
            if (item.state() == SchemaItem.State.WAITING && !item.has().isEmpty()) {
                schema.watch().execute(new DdlDecision(DdlDecision.Verb.DONE, item.id(), "", true));
            }
        }
    }

    // ---- the replica

    @Override
    public Question questionOf(Token token) {
        token.tables().forEach(ref -> schema.changes().rows(token.shard(), ref));
        return null;
    }

    @Override
    public void local(Token token) {
        apply(token);
    }

    @Override
    public long distributed(DistributedTransaction transaction) {
        transaction.branches().forEach(branch -> apply(branch.prepare()));
        return 1;
    }

    private void apply(Token token) {
        TableRef ref = token.tables().get(0);
        RowRule rule = schema.changes().ruleOf(token.shard(), ref);
        if (rule != null && rule.isLeftOut()) {
            return;
        }
        TableName name = rule == null ? new TableName(ref.schema(), ref.table()) : rule.name();
        int key = entries.get(token.shard() + ":" + token.gno()).key();
        hasStopped |= !exists || !name.equals(MemberSchedule.logical(renames));
        hasStopped |= !(key > 0 ? rows.add(key) : rows.remove(-key));
    }

    @Override
    public void ddl(Token token, boolean[] written) {
        if (written[0]) {
            statement(id(entries.get(token.shard() + ":" + token.gno())));
        }
    }

    private void statement(String id) {
        Kind kind = Kind.valueOf(id.substring(0, id.indexOf(' ')));
        int number = Integer.parseInt(id.substring(id.indexOf(' ') + 1));
        hasStopped |= number != renames;
        switch (kind) {
            case RENAME, RENAME_TWICE -> {
                hasStopped |= !exists;
                renames++;
            }
            case CREATE -> {
                hasStopped |= exists;
                exists = true;
            }
            case DROP -> {
                hasStopped |= !exists;
                exists = false;
                rows.clear();
            }
            default -> {
                hasStopped |= !exists;
                rows.clear();
            }
        }
    }

    @Override
    public void statement(DueStatement statement) {
        statement(statement.part().id());
    }

    @Override
    public void committed(Token commit, long number) {}

    /** One event of a statement; its releases are not counted. */
    private static final class Statement implements Payload {
        private final ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(0, 0, 0));

        Statement() {
            QueryEvent.write(
                    event, 0, new EventOrigin(0, 1), new LoggedStatement(0, 1, new byte[0], new byte[0], new byte[0]));
        }

        @Override
        public long length() {
            return event.capacity();
        }

        @Override
        public int events() {
            return 1;
        }

        @Override
        public ByteBuffer contiguousView() {
            return event;
        }

        @Override
        public Cursor open() {
            return new Cursor() {
                private boolean isAtEnd;

                @Override
                public ByteBuffer next() {
                    ByteBuffer next = isAtEnd ? null : event;
                    isAtEnd = true;
                    return next;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void release() {}
    }
}
