package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * A workload of local transactions that often conflict on unique keys, foreign keys and tables without keys: values move from row to row, words
 * return in other letter case, rows with an equal prefix replace each other. Each shard has its own values, so that the union of the shards has
 * unique keys.
 */
public final class KeyWorkload implements Workload {
    public static final String SCHEMA = "keyed";

    /** A duplicate or a missing parent, a deadlock, a lock wait timeout. */
    private static final Set<String> REFUSED = Set.of("23000", "40001", "HY000");

    private static final int VALUES = 40;

    private final List<MysqlServer> shards;
    private final Load load;
    private final LongAdder committed = new LongAdder();

    /** @param threads sessions over all shards, at least one for each */
    public KeyWorkload(List<MysqlServer> shards, long seed, int threads) {
        this.shards = List.copyOf(shards);
        this.load = new Load("keys", threads, 0, number -> new Session(new Random(seed * 31 + number), number));
    }

    @Override
    public void prepare() throws SQLException {
        for (MysqlServer shard : shards) {
            shard.execute(
                    "CREATE DATABASE keyed",
                    "CREATE TABLE keyed.swaps (id INT PRIMARY KEY, u INT, v INT NOT NULL, UNIQUE (u))",
                    "CREATE TABLE keyed.words (word VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY"
                            + " KEY, v INT NOT NULL)",
                    "CREATE TABLE keyed.prefixes (id INT PRIMARY KEY, word VARCHAR(20) CHARACTER SET latin1 COLLATE"
                            + " latin1_bin, UNIQUE (word(3)))",
                    "CREATE TABLE keyed.parents (id INT PRIMARY KEY, v INT NOT NULL)",
                    "CREATE TABLE keyed.children (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES keyed.parents"
                            + " (id))",
                    "CREATE TABLE keyed.owners (id INT PRIMARY KEY, v INT NOT NULL)",
                    "CREATE TABLE keyed.owned (id INT PRIMARY KEY, p INT, u INT, UNIQUE (u), FOREIGN KEY (p) REFERENCES"
                            + " keyed.owners (id) ON DELETE CASCADE)",
                    "CREATE TABLE keyed.nokey (a INT, b INT NOT NULL)");
        }
    }

    @Override
    public Load load() {
        return load;
    }

    /** The number of statements committed since the start. */
    public long committed() {
        return committed.sum();
    }

    private final class Session implements Load.Worker {
        private final Random random;
        private final int shard;
        private final ShardSession session;

        Session(Random random, int number) {
            this.random = random;
            this.shard = number % shards.size();
            this.session = new ShardSession(shards.get(shard), "USE keyed");
        }

        @Override
        public void step() throws SQLException {
            try {
                session.run(statements());
                committed.increment();
            } catch (SQLException e) {
                if (!REFUSED.contains(e.getSQLState())) {
                    throw e;
                }
            }
        }

        private String[] statements() {
            return switch (random.nextInt(8)) {
                case 0, 1 -> swap();
                case 2 -> new String[] {"DELETE FROM words WHERE word = '" + word() + "'", insertWord(), insertWord()};
                case 3 ->
                    new String[] {
                        "DELETE FROM prefixes WHERE id = " + value(),
                        "INSERT IGNORE INTO prefixes VALUES (" + value() + ", '" + prefixed() + "')",
                        "UPDATE IGNORE prefixes SET word = '" + prefixed() + "' WHERE id = " + value()
                    };
                case 4 -> ofParents("parents", "children", "");
                case 5 -> ofParents("owners", "owned", ", " + value());
                case 6 ->
                    new String[] {
                        "INSERT IGNORE INTO nokey VALUES (" + value() + ", " + random.nextInt(5) + ")",
                        "UPDATE nokey SET b = b + 1 WHERE a = " + value() + " LIMIT 1",
                        "DELETE FROM nokey WHERE a = " + value() + " LIMIT 2"
                    };
                default ->
                    new String[] {
                        "START TRANSACTION",
                        "UPDATE swaps SET v = v + 1 WHERE id = " + value(),
                        "INSERT IGNORE INTO words VALUES ('" + word() + "', 1)",
                        "COMMIT"
                    };
            };
        }

        /** A value leaves one row and is given to another one, in transactions of their own. */
        private String[] swap() {
            int unique = value();
            return new String[] {
                "INSERT IGNORE INTO swaps VALUES (" + value() + ", " + unique + ", 0)",
                random.nextBoolean()
                        ? "DELETE FROM swaps WHERE u = " + unique
                        : "UPDATE swaps SET u = NULL WHERE u = " + unique,
                "UPDATE IGNORE swaps SET u = " + unique + " WHERE id = " + value(),
                "DELETE FROM swaps WHERE id = " + value(),
                "INSERT IGNORE INTO swaps VALUES (" + value() + ", " + unique + ", 1)"
            };
        }

        private String insertWord() {
            return "INSERT IGNORE INTO words VALUES ('" + word() + "', " + random.nextInt(100) + ")";
        }

        private String[] ofParents(String parents, String children, String more) {
            int parent = value();
            return new String[] {
                "INSERT IGNORE INTO " + parents + " VALUES (" + parent + ", 0)",
                "INSERT IGNORE INTO " + children + " VALUES (" + value() + ", " + parent + more + ")",
                "UPDATE " + parents + " SET v = v + 1 WHERE id = " + parent,
                "DELETE FROM " + children + " WHERE p = " + parent,
                "DELETE IGNORE FROM " + parents + " WHERE id = " + parent
            };
        }

        private int value() {
            return random.nextInt(VALUES) * shards.size() + shard;
        }

        /** In some letter case. */
        private String word() {
            StringBuilder word = new StringBuilder();
            for (char one : ("word" + value()).toCharArray()) {
                word.append(random.nextBoolean() ? Character.toUpperCase(one) : one);
            }
            return word.toString().toLowerCase(Locale.ROOT).equals(word.toString()) ? word + " " : word.toString();
        }

        /** Its first three characters are those of one value of the shard. */
        private String prefixed() {
            return (char) ('a' + shard) + Integer.toString(10 + random.nextInt(20)) + random.nextInt(1000);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
