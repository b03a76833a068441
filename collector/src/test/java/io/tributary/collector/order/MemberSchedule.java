package io.tributary.collector.order;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Logs of shards that have several physical tables of one logical table, as schema_change_model.py generates them: local inserts and deletes, XA
 * transactions over members, heartbeat rounds, and statements that every member runs at its own time: TRUNCATE and RENAME, the latter in one step or
 * two, or DROP and CREATE.
 */
final class MemberSchedule {
    static final TableName TABLE = new TableName("shop", "t");

    /** What a shard logs. */
    enum Kind {
        CREATE,
        LOCAL,
        PREPARE,
        COMMIT,
        ROUND,
        TRUNCATE,
        RENAME,
        RENAME_TWICE,
        DROP
    }

    /**
     * One transaction of a shard's log.
     *
     * @param number of the transaction or the round; of a statement how often the table has been renamed before
     * @param logical the table
     * @param physical the member's table
     * @param key the row that is inserted, or deleted where it is negative
     */
    record Entry(Kind kind, int number, TableName logical, TableName physical, int key) {}

    final List<List<Entry>> logs = new ArrayList<>();
    /** All rows that exist at the end. */
    final Set<Integer> rows = new HashSet<>();

    /** How many tables each shard's log creates before everything else. */
    final int creates;

    private final SplittableRandom random;
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, Map<Member, Integer>> open = new TreeMap<>();
    private int keys;
    private int transactions;
    private int round;

    /** The statements that each member runs, in this order; the table is created again after DROP. */
    private final List<Kind> steps = new ArrayList<>();

    /** A physical table while its log is generated. */
    private static final class Member {
        private final int shard;
        private final int table;
        private final Set<Integer> rows = new HashSet<>();
        private boolean isThere = true;
        private int next;
        private int renames;

        Member(int shard, int table) {
            this.shard = shard;
            this.table = table;
        }

        TableName physical() {
            return MemberSchedule.physical(logical(renames), table);
        }
    }

    /** The name of the table after this many changes of it. */
    static TableName logical(int renames) {
        return renames == 0 ? TABLE : new TableName("shop", "t" + renames);
    }

    /** The name that a table has in the middle of a RENAME in two steps. */
    static TableName middle(int renames) {
        return new TableName("shop", "m" + renames);
    }

    private static TableName physical(TableName logical, int table) {
        return new TableName("shop", logical.table() + "_" + table);
    }

    MemberSchedule(SplittableRandom random, int shards, int tables) {
        this.random = random;
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            for (int table = 0; table < tables; table++) {
                Member member = new Member(shard, table);
                members.add(member);
                log(member, Kind.CREATE, 0, 0);
            }
        }
        creates = tables;
        drawSteps();
        draw();
        members.forEach(member -> rows.addAll(member.rows));
    }

    /** No statement waits for a member that will be created again and is not known yet: DROP and CREATE are last. */
    private void drawSteps() {
        boolean drops = random.nextBoolean();
        int count = random.nextInt(drops ? 0 : 1, 4);
        for (int step = 0; step < count; step++) {
            steps.add(
                    switch (random.nextInt(4)) {
                        case 0 -> Kind.RENAME;
                        case 1 -> Kind.RENAME_TWICE;
                        default -> Kind.TRUNCATE;
                    });
        }
        if (drops) {
            steps.add(Kind.DROP);
        }
    }

    private void draw() {
        for (int step = random.nextInt(20, 70); step > 0; step--) {
            Member member = members.get(random.nextInt(members.size()));
            switch (random.nextInt(8)) {
                case 0, 1 -> insert(member);
                case 2 -> delete(member);
                case 3 -> prepare(member, members.get(random.nextInt(members.size())));
                case 4, 5 -> commitOne();
                case 6 -> statement(member);
                default -> rounds();
            }
        }
        while (!open.isEmpty()) {
            commitOne();
        }
        for (Member member : members) {
            while (member.next < steps.size() || !member.isThere) {
                statement(member);
            }
            insert(member);
        }
        rounds();
        rounds();
    }

    private void log(Member member, Kind kind, int number, int key) {
        logs.get(member.shard).add(new Entry(kind, number, logical(member.renames), member.physical(), key));
    }

    private void rounds() {
        round++;
        logs.forEach(log -> log.add(new Entry(Kind.ROUND, round, TABLE, TABLE, 0)));
    }

    private void insert(Member member) {
        if (member.isThere) {
            member.rows.add(++keys);
            log(member, Kind.LOCAL, 0, keys);
        }
    }

    private void delete(Member member) {
        if (!member.rows.isEmpty()) {
            int key = member.rows.iterator().next();
            member.rows.remove(key);
            log(member, Kind.LOCAL, 0, -key);
        }
    }

    /** Both branches are prepared now and commit one after the other. */
    private void prepare(Member one, Member other) {
        if (one.shard == other.shard || !one.isThere || !other.isThere) {
            return;
        }
        Map<Member, Integer> branches = new LinkedHashMap<>();
        transactions++;
        for (Member member : List.of(one, other)) {
            branches.put(member, ++keys);
            log(member, Kind.PREPARE, transactions, keys);
        }
        open.put(transactions, branches);
    }

    private void commitOne() {
        if (open.isEmpty()) {
            return;
        }
        List<Integer> ids = new ArrayList<>(open.keySet());
        int id = ids.get(random.nextInt(ids.size()));
        Map<Member, Integer> branches = open.get(id);
        List<Member> left = new ArrayList<>(branches.keySet());
        Member member = left.get(random.nextInt(left.size()));
        member.rows.add(branches.remove(member));
        log(member, Kind.COMMIT, id, 0);
        if (branches.isEmpty()) {
            open.remove(id);
        }
    }

    /** The member's next statement; a prepared branch keeps the table locked. */
    private void statement(Member member) {
        boolean isLocked = open.values().stream().anyMatch(branches -> branches.containsKey(member));
        if (!member.isThere) {
            member.isThere = true;
            log(member, Kind.CREATE, member.renames, 0);
        } else if (member.next < steps.size() && !isLocked) {
            Kind step = steps.get(member.next++);
            log(member, step, member.renames, 0);
            switch (step) {
                case RENAME, RENAME_TWICE -> member.renames++;
                default -> {
                    member.isThere = step != Kind.DROP;
                    member.rows.clear();
                }
            }
        }
    }

    /** The physical tables that a shard has after this many of its transactions, with their logical names. */
    Map<TableName, TableName> tables(int shard, int executed) {
        Map<TableName, TableName> there = new HashMap<>();
        for (Entry entry : logs.get(shard).subList(0, executed)) {
            switch (entry.kind()) {
                case CREATE -> there.put(entry.physical(), entry.logical());
                case DROP -> there.remove(entry.physical());
                case RENAME, RENAME_TWICE -> {
                    there.remove(entry.physical());
                    there.put(renamed(entry), logical(entry.number() + 1));
                }
                default -> {}
            }
        }
        return there;
    }

    /** The physical name after a RENAME. */
    static TableName renamed(Entry entry) {
        return under(entry, logical(entry.number() + 1));
    }

    /** The physical name of a member if the table has another name. */
    static TableName under(Entry entry, TableName logical) {
        String own = entry.physical().table();
        return new TableName("shop", logical.table() + own.substring(own.lastIndexOf('_')));
    }
}
