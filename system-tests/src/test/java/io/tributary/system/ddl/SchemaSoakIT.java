package io.tributary.system.ddl;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A soak test with random schema changes of every class over four shards with two physical tables of each logical table, member by member in random
 * order, under load with distributed transactions and with kill -9 of the node: the replica never stops, no shard is held, and in the end the replica
 * has the rows and the definitions of the shards. {@code -Dsoak.minutes=N} sets its length, {@code -Dseed=S} the seed of the first round;
 * {@code bin/soak schema} runs it.
 */
class SchemaSoakIT {
    private static final Duration LENGTH = Duration.ofMinutes(Long.getLong("soak.minutes", 1));
    private static final long SEED = Long.getLong("seed", 25);
    private static final int SHARDS = 4;
    private static final int TABLES = 3;
    private static final int CHANGES = 8;
    private static final int WRITERS = 4;

    @Test
    void theReplicaIsTheUnionWhenAllKindsOfChangesRunOnOneShardAfterAnother(@TempDir Path folder) throws Exception {
        long end = System.nanoTime() + LENGTH.toNanos();
        try (DdlCluster cluster = DdlCluster.start(folder, SHARDS, config -> config);
                RacingWriters writers = new RacingWriters(cluster.cluster().shards(), WRITERS);
                HeldStatements held = new HeldStatements(cluster.node())) {
            long seed = SEED;
            do {
                try {
                    new Round(cluster, writers, held, seed).run();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("-Dseed=" + seed + ": " + e.getMessage() + "\n" + held.report(), e);
                }
                seed++;
            } while (System.nanoTime() < end);
            long maps = cluster.assertShapesInForce();
            System.out.println("schema soak: " + (seed - SEED) + " rounds, " + writers + ", " + maps
                    + " table maps match the valid definitions\n" + held.report());
        }
    }

    /** One round with some logical tables, from CREATE to DROP. */
    private static final class Round {
        private static final int MOST_TRANSACTIONS_BETWEEN = 12;
        /** Kinds of changes that need all members of a table. */
        private static final Set<String> OF_ALL = Set.of(
                "truncate",
                "drop",
                "truncate partition",
                "drop partition",
                "exchange partition",
                "rename together",
                "rename in turn",
                "drop side");

        private static final Set<String> CREATING = Set.of("create", "side", "side for exchange");

        /** The step before which every member must be, or which it must have run, before one of them continues. */
        private static final String BEGINS_EXCHANGE = "side for exchange";

        private static final String EXCHANGE = "exchange partition";
        private static final long FIRST_OWN_ID = 1_000_000_000_000L;

        private final DdlCluster cluster;
        private final RacingWriters writers;
        private final HeldStatements held;
        private final long seed;
        private final Random random;
        private final String schema;
        private final List<List<String>> tables = new ArrayList<>();
        private final List<Member> members = new ArrayList<>();
        private long nextId = FIRST_OWN_ID;

        /** A physical table on one shard and the steps that it must still run. */
        private static final class Member {
            private final int shard;
            private final int number;
            private final int place;
            private final List<SoakStep> steps;
            private final List<String> open = new ArrayList<>();
            private int next;

            Member(int shard, int number, int place, List<SoakStep> steps) {
                this.shard = shard;
                this.number = number;
                this.place = place;
                this.steps = steps;
            }

            boolean isDone() {
                return open.isEmpty() && next == steps.size();
            }

            SoakStep last() {
                return steps.get(next - 1);
            }
        }

        Round(DdlCluster cluster, RacingWriters writers, HeldStatements held, long seed) {
            this.cluster = cluster;
            this.writers = writers;
            this.held = held;
            this.seed = seed;
            this.random = new Random(seed);
            this.schema = "soak" + seed;
        }

        void run() throws Exception {
            List<List<SoakStep>> scripts = new ArrayList<>();
            for (int table = 0; table < TABLES; table++) {
                scripts.add(SoakScript.of(schema, "t" + table, CHANGES, random));
            }
            List<SoakStep> programs = SoakPrograms.of(schema, CHANGES, random);
            scripts.add(programs);
            System.out.println("seed " + seed + ": "
                    + scripts.stream()
                            .map(steps -> steps.stream().map(SoakStep::kind).collect(Collectors.joining(", ")))
                            .collect(Collectors.joining("; ")));
            cluster.onEach("CREATE DATABASE " + schema);
            for (int shard = 0; shard < SHARDS; shard++) {
                List<String> own = new CopyOnWriteArrayList<>();
                for (List<SoakStep> steps : scripts) {
                    int first = steps.equals(programs) ? SoakStep.UNNUMBERED : 0;
                    int end = steps.equals(programs) ? 0 : 2;
                    for (int number = first; number < end; number++) {
                        members.add(new Member(shard, number, own.size(), steps));
                        own.add(steps.get(0).table(number));
                    }
                }
                tables.add(own);
            }
            Collections.shuffle(members, random);
            for (Member member : members) {
                step(member);
            }
            writers.start(seed, tables);
            runChanges();
            writers.awaitMore(MOST_TRANSACTIONS_BETWEEN);
            writers.stop();
            cluster.awaitReplicated();
            try {
                cluster.assertUnion(schema);
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "\n" + String.join("\n", cluster.differingRows(schema)), e);
            }
            cluster.awaitNothingListed();
            cluster.assertSameTables(schema);
            cluster.assertSamePrograms(schema);
            List<Integer> shards = new ArrayList<>(List.of(1, 2, 3, 4));
            Collections.shuffle(shards, random);
            for (int shard : shards) {
                cluster.on(shard, "DROP DATABASE " + schema);
            }
            cluster.awaitReplicated();
        }

        private void runChanges() throws SQLException {
            int turns = members.stream().mapToInt(member -> member.steps.size()).sum();
            int killed = random.nextInt(turns / 2);
            boolean isEven = random.nextBoolean();
            List<Member> left = new ArrayList<>(members);
            for (int turn = 0; !left.isEmpty(); turn++) {
                List<Member> able = left.stream().filter(this::mayContinue).toList();
                Member member = isEven ? least(able) : able.get(random.nextInt(able.size()));
                step(member);
                if (member.open.isEmpty() && random.nextBoolean()) {
                    write(member);
                }
                if (member.isDone()) {
                    left.remove(member);
                }
                writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
                held.assertNoQuestion();
                if (turn == killed) {
                    cluster.killAndRestart();
                }
            }
        }

        /**
         * Whether a member may run its next step. A step that empties or removes a table runs when every member has been created: for a member that
         * is created later it would not be known whether it will run the statement too. No change runs between the exchanges of two members on one
         * shard.
         */
        private boolean mayContinue(Member member) {
            if (!member.open.isEmpty()) {
                return true;
            }
            String kind = member.steps.get(member.next).kind();
            if (kind.equals(BEGINS_EXCHANGE) || member.last().kind().equals(EXCHANGE)) {
                return allHaveRun(member.next - 1, member);
            }
            if (!OF_ALL.contains(kind)) {
                return true;
            }
            int created = member.next - 1;
            while (!CREATING.contains(member.steps.get(created).kind())) {
                created--;
            }
            return allHaveRun(created, member);
        }

        /** Whether all members of a member's table have run a step. */
        private boolean allHaveRun(int step, Member member) {
            int after = step + 1;
            return members.stream()
                    .filter(other -> other.steps.equals(member.steps))
                    .allMatch(other -> other.next > after || other.next == after && other.open.isEmpty());
        }

        /** In most cases one of the members that have run the fewest changes. */
        private Member least(List<Member> left) {
            int fewest = left.stream().mapToInt(member -> member.next).min().orElseThrow() + random.nextInt(2);
            List<Member> slowest =
                    left.stream().filter(member -> member.next <= fewest).toList();
            return slowest.get(random.nextInt(slowest.size()));
        }

        /** Runs one statement. */
        private void step(Member member) throws SQLException {
            if (member.open.isEmpty()) {
                SoakStep step = member.steps.get(member.next++);
                member.open.addAll(step.statements(member.number, random, () -> nextId++));
            }
            String statement = member.open.remove(0);
            MysqlServer shard = cluster.shard(member.shard + 1);
            try {
                shard.execute(statement);
            } catch (SQLException e) {
                throw new IllegalStateException(shard.name() + ": " + statement + ": " + e.getMessage(), e);
            }
            if (member.open.isEmpty() && member.last().kind().equals("create")) {
                shard.execute("INSERT INTO " + member.last().table(member.number) + " (id, v) VALUES (" + -nextId++
                        + ", 1), (" + -nextId++ + ", 1)");
            }
            if (member.open.isEmpty()) {
                tables.get(member.shard).set(member.place, member.last().table(member.number));
            }
        }

        /** Writes rows with values in all columns, in the shape of the member. */
        private void write(Member member) throws SQLException {
            SoakStep last = member.last();
            if (last.kind().equals("drop")) {
                return;
            }
            String table = last.table(member.number);
            List<SoakColumn> columns = last.columns();
            String names = columns.stream().map(column -> ", " + column.name()).collect(Collectors.joining());
            StringBuilder text = new StringBuilder("BEGIN;");
            for (int i = 0; i < 3; i++) {
                text.append("INSERT INTO " + table + " (id, v" + names + ") VALUES (" + nextId++ + ", 1"
                        + columns.stream()
                                .map(column -> ", " + column.value(random))
                                .collect(Collectors.joining())
                        + ");");
            }
            String changes = columns.stream()
                    .filter(column -> random.nextBoolean())
                    .map(column -> ", " + column.name() + " = " + column.value(random))
                    .collect(Collectors.joining());
            text.append("UPDATE " + table + " SET v = v + 1" + changes + " WHERE id = " + (nextId - 1) + ";");
            text.append("DELETE FROM " + table + " WHERE id = " + (nextId - 2) + ";COMMIT");
            try (Sql session = cluster.shard(member.shard + 1).sql()) {
                session.execute(text.toString());
            } catch (SQLException e) {
                throw new IllegalStateException(text + ": " + e.getMessage(), e);
            }
        }
    }
}
