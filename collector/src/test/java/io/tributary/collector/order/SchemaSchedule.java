package io.tributary.collector.order;

import io.tributary.common.value.TableName;
import io.tributary.testkit.schema.ModelStep;
import io.tributary.testkit.schema.ModelStep.Kind;
import io.tributary.testkit.schema.ModelTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Logs of shards that have one or two physical tables of one logical table: rows that are inserted, changed and deleted, XA transactions over
 * members, heartbeat rounds, and a random series of statements of every class, which each member runs at its own time.
 */
final class SchemaSchedule {
    static final TableName TABLE = new TableName("shop", "t");

    /** The kind of an entry of a shard's log. */
    enum Sort {
        LOCAL,
        PREPARE,
        COMMIT,
        ROUND,
        STATEMENT
    }

    /**
     * One transaction of a shard's log.
     *
     * @param number of the distributed transaction or the round
     * @param row all of it, in the columns that the member has there; only its key if it is deleted
     * @param step null if the entry is no statement
     */
    record Entry(Sort sort, int number, TableName physical, Map<String, String> row, ModelStep step) {}

    final List<List<Entry>> logs = new ArrayList<>();
    final List<ModelStep> steps = new ArrayList<>();
    final List<String> members = new ArrayList<>();

    /** How many statements of each shard's log create its tables, before everything else. */
    final int creates;

    private final SplittableRandom random;
    private final List<Member> tables = new ArrayList<>();
    private final Map<Integer, Map<Member, Map<String, String>>> open = new TreeMap<>();
    private int keys;
    private int transactions;
    private int round;
    private int names;

    /** A physical table while its log is generated. */
    private static final class Member {
        private final int shard;
        private final TableName physical;
        private final ModelTable table = new ModelTable();
        private int next;

        Member(int shard, TableName physical) {
            this.shard = shard;
            this.physical = physical;
        }
    }

    SchemaSchedule(SplittableRandom random, int shards, int perShard) {
        this.random = random;
        this.creates = perShard;
        drawSteps(random.nextInt(1, 7));
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            for (int table = 0; table < perShard; table++) {
                Member member = new Member(shard, new TableName("shop", "t_" + table));
                tables.add(member);
                members.add(name(shard, member.physical));
                statement(member);
            }
        }
        drawLogs();
    }

    static String name(int shard, TableName physical) {
        return "s" + shard + ":" + physical.table();
    }

    // ---- statements

    /**
     * No statement waits for a member that will be created again and is not known yet: statements that need all members run before the table is
     * created again.
     */
    private void drawSteps(int count) {
        boolean isCreatedAgain = false;
        ModelTable table = new ModelTable();
        add(table, create());
        while (steps.size() <= count) {
            List<String> columns = table.columns().subList(2, table.columns().size());
            String column = columns.isEmpty() ? "" : columns.get(random.nextInt(columns.size()));
            int kind = random.nextInt(isCreatedAgain ? 7 : 10);
            if (kind < 4 || column.isEmpty() && kind < 7) {
                add(table, added());
            } else if (kind == 4) {
                add(table, alter(Kind.DROP_COLUMN, "DROP COLUMN " + column, column, ""));
            } else if (kind == 5) {
                String other = "c" + ++names;
                add(table, alter(Kind.RENAME, "RENAME COLUMN " + column + " TO " + other, column, other));
            } else if (kind == 6) {
                String other = columns.get(random.nextInt(columns.size()));
                if (!other.equals(column)) {
                    String items =
                            "RENAME COLUMN " + column + " TO " + other + ", RENAME COLUMN " + other + " TO " + column;
                    add(table, alter(Kind.SWAP, items, column, other));
                }
            } else if (kind == 7) {
                add(
                        table,
                        table.isChecked()
                                ? alter(Kind.DROP_CHECK, "DROP CHECK k", "", "")
                                : alter(Kind.CHECK, "ADD CONSTRAINT k CHECK (v <> 'bad')", "", ""));
            } else if (kind == 8) {
                add(table, alter(Kind.INDEX, "ADD INDEX i" + ++names + " (v)", "", ""));
            } else if (random.nextBoolean()) {
                add(table, new ModelStep(Kind.TRUNCATE, "TRUNCATE TABLE t", "", ""));
            } else {
                add(table, new ModelStep(Kind.DROP, "DROP TABLE t", "", ""));
                add(table, create());
                isCreatedAgain = true;
            }
        }
    }

    private ModelStep added() {
        String name = "c" + ++names;
        boolean isNull = random.nextInt(3) == 0;
        String value = isNull ? null : "d" + names;
        String text = "ADD COLUMN " + name + " VARCHAR(20) " + (isNull ? "NULL" : "NOT NULL DEFAULT '" + value + "'");
        return alter(Kind.ADD, text, name, value);
    }

    private static ModelStep create() {
        return new ModelStep(Kind.CREATE, "CREATE TABLE t (id VARCHAR(20) PRIMARY KEY, v VARCHAR(20))", "", "");
    }

    private static ModelStep alter(Kind kind, String items, String column, String other) {
        return new ModelStep(kind, "ALTER TABLE t " + items, column, other);
    }

    private void add(ModelTable table, ModelStep step) {
        table.apply(step);
        steps.add(step);
    }

    /** Runs a member's next statement if it can be run; a prepared branch keeps the table locked. */
    private void statement(Member member) {
        boolean isLocked = open.values().stream().anyMatch(branches -> branches.containsKey(member));
        if (isLocked || member.next == steps.size()) {
            return;
        }
        ModelStep step = steps.get(member.next);
        if (step.kind() == Kind.CHECK && removeBad(member)) {
            return;
        }
        member.table.apply(step);
        member.next++;
        log(member, Sort.STATEMENT, 0, Map.of(), step);
    }

    private boolean removeBad(Member member) {
        List<String> bad = member.table.rows().values().stream()
                .filter(row -> ModelTable.BAD.equals(row.get("v")))
                .map(row -> row.get(ModelTable.KEY))
                .toList();
        bad.forEach(key -> delete(member, key));
        return !bad.isEmpty();
    }

    // ---- logs

    private void drawLogs() {
        for (int turn = random.nextInt(15, 60); turn > 0; turn--) {
            Member member = tables.get(random.nextInt(tables.size()));
            switch (random.nextInt(9)) {
                case 0, 1 -> insert(member);
                case 2 -> change(member);
                case 3 -> prepare(member, tables.get(random.nextInt(tables.size())));
                case 4, 5 -> commitOne();
                case 6, 7 -> statement(member);
                default -> rounds();
            }
        }
        while (!open.isEmpty()) {
            commitOne();
        }
        while (tables.stream().anyMatch(member -> member.next < steps.size())) {
            tables.forEach(this::statement);
        }
        tables.forEach(this::insert);
        rounds();
        rounds();
    }

    private void log(Member member, Sort sort, int number, Map<String, String> row, ModelStep step) {
        logs.get(member.shard).add(new Entry(sort, number, member.physical, row, step));
    }

    private void rounds() {
        round++;
        logs.forEach(log -> log.add(new Entry(Sort.ROUND, round, TABLE, Map.of(), null)));
    }

    private Map<String, String> row(Member member, String key) {
        Map<String, String> row = new LinkedHashMap<>();
        for (String column : member.table.columns()) {
            row.put(column, random.nextInt(3) == 0 ? member.table.defaultOf(column) : "x" + random.nextInt(100));
        }
        row.put(ModelTable.KEY, key);
        if (random.nextInt(4) == 0 && !member.table.isChecked()) {
            row.put("v", ModelTable.BAD);
        }
        return row;
    }

    private void insert(Member member) {
        if (member.table.exists()) {
            put(member, Integer.toString(++keys));
        }
    }

    private void put(Member member, String key) {
        Map<String, String> row = row(member, key);
        member.table.put(row);
        log(member, Sort.LOCAL, 0, row, null);
    }

    private void change(Member member) {
        if (!member.table.rows().isEmpty()) {
            String key = member.table.rows().keySet().iterator().next();
            if (random.nextBoolean()) {
                put(member, key);
            } else {
                delete(member, key);
            }
        }
    }

    private void delete(Member member, String key) {
        member.table.remove(key);
        log(member, Sort.LOCAL, 0, Map.of(ModelTable.KEY, key), null);
    }

    /** Both branches are prepared now and commit one after the other. */
    private void prepare(Member one, Member other) {
        if (one.shard == other.shard || !one.table.exists() || !other.table.exists()) {
            return;
        }
        Map<Member, Map<String, String>> branches = new LinkedHashMap<>();
        transactions++;
        for (Member member : List.of(one, other)) {
            Map<String, String> row = row(member, Integer.toString(++keys));
            branches.put(member, row);
            log(member, Sort.PREPARE, transactions, row, null);
        }
        open.put(transactions, branches);
    }

    private void commitOne() {
        if (open.isEmpty()) {
            return;
        }
        List<Integer> ids = new ArrayList<>(open.keySet());
        int id = ids.get(random.nextInt(ids.size()));
        Map<Member, Map<String, String>> branches = open.get(id);
        List<Member> left = new ArrayList<>(branches.keySet());
        Member member = left.get(random.nextInt(left.size()));
        member.table.put(branches.remove(member));
        log(member, Sort.COMMIT, id, Map.of(), null);
        if (branches.isEmpty()) {
            open.remove(id);
        }
    }

    /** The physical tables that a shard has after this many of its transactions. */
    Set<TableName> tables(int shard, int executed) {
        Map<TableName, Boolean> there = new HashMap<>();
        for (Entry entry : logs.get(shard).subList(0, executed)) {
            if (entry.step() != null
                    && (entry.step().kind() == Kind.CREATE || entry.step().kind() == Kind.DROP)) {
                there.put(entry.physical(), entry.step().kind() == Kind.CREATE);
            }
        }
        there.values().removeIf(isThere -> !isThere);
        return there.keySet();
    }
}
