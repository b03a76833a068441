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
 * Logs of shards that have several physical tables of one logical table, as schema_change_model.py draws them: local inserts and deletes,
 * XA transactions over members, heartbeat rounds, and statements that every member runs at a time of its own: TRUNCATE once or twice, or
 * DROP and CREATE.
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
        DROP
    }

    /**
     * One transaction of a shard's log.
     *
     * @param number of the transaction or the round
     * @param physical the member's table
     * @param key the row that is inserted, or deleted where it is negative
     */
    record Entry(Kind kind, int number, TableName physical, int key) {}

    final List<List<Entry>> logs = new ArrayList<>();
    /** All rows that are there at the end. */
    final Set<Integer> rows = new HashSet<>();

    /** How many tables each shard's log creates before all else. */
    final int creates;

    private final SplittableRandom random;
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, Map<Member, Integer>> open = new TreeMap<>();
    private int keys;
    private int transactions;
    private int round;
    private boolean drops;

    /** A physical table while its log is drawn. */
    private static final class Member {
        private final int shard;
        private final TableName physical;
        private final Set<Integer> rows = new HashSet<>();
        private boolean isThere = true;
        private int wave;

        Member(int shard, TableName physical) {
            this.shard = shard;
            this.physical = physical;
        }
    }

    MemberSchedule(SplittableRandom random, int shards, int tables) {
        this.random = random;
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            for (int table = 0; table < tables; table++) {
                Member member = new Member(shard, new TableName("shop", "t_" + table));
                members.add(member);
                log(member, Kind.CREATE, 0, 0);
            }
        }
        creates = tables;
        drops = random.nextBoolean();
        draw(drops ? 1 : random.nextInt(1, 3));
        members.forEach(member -> rows.addAll(member.rows));
    }

    private void draw(int waves) {
        for (int step = random.nextInt(20, 70); step > 0; step--) {
            Member member = members.get(random.nextInt(members.size()));
            switch (random.nextInt(8)) {
                case 0, 1 -> insert(member);
                case 2 -> delete(member);
                case 3 -> prepare(member, members.get(random.nextInt(members.size())));
                case 4, 5 -> commitOne();
                case 6 -> statement(member, waves);
                default -> rounds();
            }
        }
        while (!open.isEmpty()) {
            commitOne();
        }
        for (Member member : members) {
            while (member.wave < waves || !member.isThere) {
                statement(member, waves);
            }
            insert(member);
        }
        rounds();
        rounds();
    }

    private void log(Member member, Kind kind, int number, int key) {
        logs.get(member.shard).add(new Entry(kind, number, member.physical, key));
    }

    private void rounds() {
        round++;
        logs.forEach(log -> log.add(new Entry(Kind.ROUND, round, TABLE, 0)));
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

    /** Both branches are prepared now and commit one by one. */
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
    private void statement(Member member, int waves) {
        boolean isLocked = open.values().stream().anyMatch(branches -> branches.containsKey(member));
        if (!member.isThere) {
            member.isThere = true;
            log(member, Kind.CREATE, 0, 0);
        } else if (member.wave < waves && !isLocked) {
            member.wave++;
            member.isThere = !drops;
            member.rows.clear();
            log(member, drops ? Kind.DROP : Kind.TRUNCATE, 0, 0);
        }
    }

    /** The physical tables that a shard has after this many of its transactions. */
    Set<TableName> tables(int shard, int executed) {
        Map<TableName, Boolean> there = new HashMap<>();
        for (Entry entry : logs.get(shard).subList(0, executed)) {
            if (entry.kind() == Kind.CREATE || entry.kind() == Kind.DROP) {
                there.put(entry.physical(), entry.kind() == Kind.CREATE);
            }
        }
        there.values().removeIf(isThere -> !isThere);
        return there.keySet();
    }
}
