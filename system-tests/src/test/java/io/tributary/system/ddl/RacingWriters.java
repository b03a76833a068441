package io.tributary.system.ddl;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/**
 * Threads that insert, update and delete rows of some tables on all shards, each thread its own rows; half of their transactions are
 * distributed over random shards. If a statement fails, its transaction is rolled back, because a table may be dropped at any moment.
 *
 * <p>Branches begin in the order of the shards, so that branches and statements that wait for locks cannot form a deadlock.
 */
final class RacingWriters implements AutoCloseable {
    private static final int LONGEST = 3;

    private final List<MysqlServer> shards;
    private final List<Writer> writers = new ArrayList<>();
    private final AtomicLong xids = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Statements statements;
    private volatile boolean stopping;
    private long rowsBefore;

    /** The statements of the writers; a text does not end with a semicolon. */
    interface Statements {
        /** @param table the table, as schema.table */
        String insert(String table, long id);

        String update(String table, long id);

        /** The statement that removes the row. */
        default String delete(String table, long id) {
            return "DELETE FROM " + table + " WHERE id = " + id;
        }
    }

    private static final Statements OF_VALUES = new Statements() {
        @Override
        public String insert(String table, long id) {
            return "INSERT INTO " + table + " (id, v) VALUES (" + id + ", 0)";
        }

        @Override
        public String update(String table, long id) {
            return "UPDATE " + table + " SET v = v + 1 WHERE id = " + id;
        }
    };

    /** Creates writers of tables with the columns id and v. */
    RacingWriters(List<MysqlServer> shards, int count) throws SQLException {
        this(shards, count, OF_VALUES);
    }

    RacingWriters(List<MysqlServer> shards, int count, Statements statements) throws SQLException {
        this.shards = shards;
        this.statements = statements;
        for (int number = 0; number < count; number++) {
            writers.add(new Writer(number));
        }
    }

    /** Keys of rows of a shard that a test must insert before {@link #start}: each writer changes so many of them. */
    List<Long> rowsBefore(int shard, int ofEach) {
        rowsBefore = ofEach;
        return writers.stream()
                .flatMap(writer -> LongStream.rangeClosed(1, ofEach).mapToObj(count -> writer.id(shard, count)))
                .toList();
    }

    /**
     * Starts the threads.
     *
     * @param tables the tables of each shard, as schema.table
     */
    void start(long seed, List<List<String>> tables) {
        for (Writer writer : writers) {
            writer.begin(new Random(seed * 31 + writer.number), tables);
        }
        resume();
    }

    /** Starts the threads again after {@link #stop}; they continue with the same state. */
    void resume() {
        stopping = false;
        for (Writer writer : writers) {
            Thread thread = new Thread(writer::run, "writer-" + writer.number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Waits until they have committed so many more transactions. */
    void awaitMore(long transactions) {
        long enough = committed.get() + transactions;
        Await.until(() -> transactions + " more transactions; " + failure.get(), DdlCluster.LIMIT, () -> {
            throwFailure();
            return committed.get() >= enough;
        });
    }

    void stop() {
        end();
        throwFailure();
    }

    private void end() {
        stopping = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + this + " end", e);
            }
        }
        threads.clear();
    }

    private void throwFailure() {
        if (failure.get() != null) {
            throw new IllegalStateException("a writer failed: " + failure.get(), failure.get());
        }
    }

    @Override
    public void close() throws SQLException {
        end();
        for (Writer writer : writers) {
            for (Sql session : writer.sessions) {
                session.close();
            }
        }
    }

    /** One thread. */
    private final class Writer {
        private final int number;
        private final List<Sql> sessions = new ArrayList<>();
        private Random random;
        private List<List<String>> tables;
        private long nextId;

        Writer(int number) throws SQLException {
            this.number = number;
            for (MysqlServer shard : shards) {
                sessions.add(shard.sql()
                        .execute("SET SESSION innodb_lock_wait_timeout = 2, lock_wait_timeout = 2,"
                                + " transaction_isolation = 'READ-COMMITTED'"));
            }
        }

        void begin(Random choices, List<List<String>> names) {
            random = choices;
            tables = names;
            nextId = 1 + rowsBefore;
        }

        void run() {
            try {
                while (!stopping) {
                    if (random.nextBoolean()) {
                        local(random.nextInt(shards.size()));
                    } else {
                        distributed();
                    }
                }
            } catch (SQLException | RuntimeException e) {
                failure.compareAndSet(null, e);
            }
        }

        private void local(int shard) throws SQLException {
            Sql session = sessions.get(shard);
            try {
                session.execute("BEGIN;" + work(shard) + "COMMIT");
                committed.incrementAndGet();
            } catch (SQLException e) { // its table was dropped, or it waited too long for a lock
                session.execute("ROLLBACK");
            }
        }

        private void distributed() throws SQLException {
            String gtrid = "race-" + xids.incrementAndGet() + "-" + random.nextInt(1000);
            List<Integer> chosen = new ArrayList<>();
            for (int shard = 0; shard < shards.size(); shard++) {
                chosen.add(shard);
            }
            Collections.shuffle(chosen, random);
            List<Integer> sorted = chosen.subList(0, 2 + random.nextInt(shards.size() - 1)).stream()
                    .sorted()
                    .toList();
            for (int i = 0; i < sorted.size(); i++) {
                String xid = xid(gtrid, sorted.get(i));
                Sql session = sessions.get(sorted.get(i));
                try {
                    session.execute("XA START " + xid + ";" + work(sorted.get(i)) + "XA END " + xid);
                    session.execute("XA PREPARE " + xid);
                } catch (SQLException e) { // as above
                    rollBack(session, xid);
                    for (int shard : sorted.subList(0, i)) {
                        sessions.get(shard).execute("XA ROLLBACK " + xid(gtrid, shard));
                    }
                    return;
                }
            }
            for (int shard : sorted) {
                sessions.get(shard).execute("XA COMMIT " + xid(gtrid, shard));
            }
            committed.incrementAndGet();
        }

        private static String xid(String gtrid, int shard) {
            return "'" + gtrid + "','s" + (shard + 1) + "',1";
        }

        private static void rollBack(Sql session, String xid) throws SQLException {
            try {
                session.execute("XA END " + xid);
            } catch (SQLException e) { // it has ended already
                session.execute("XA ROLLBACK " + xid);
                return;
            }
            session.execute("XA ROLLBACK " + xid);
        }

        /** One to three statements, each closed by a semicolon; the first one is an insert. */
        private String work(int shard) {
            StringBuilder text = new StringBuilder();
            int count = 1 + random.nextInt(LONGEST);
            for (int i = 0; i < count; i++) {
                List<String> names = tables.get(shard);
                String table = names.get(random.nextInt(names.size()));
                int kind = i == 0 ? 0 : random.nextInt(3);
                long old = id(shard, 1 + random.nextInt((int) nextId));
                text.append(
                                switch (kind) {
                                    case 0 -> statements.insert(table, id(shard, nextId++));
                                    case 1 -> statements.update(table, old);
                                    default -> statements.delete(table, old);
                                })
                        .append(';');
            }
            return text.toString();
        }

        /** Rows of different writers and shards never share a key. */
        private long id(int shard, long count) {
            return (count * writers.size() + number) * shards.size() + shard;
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d writers, %d transactions", writers.size(), committed.get());
    }
}
