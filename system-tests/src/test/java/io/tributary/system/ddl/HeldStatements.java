package io.tributary.system.ddl;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A monitor of the list of schema changes of a running node, which a separate thread polls: the statements that wait, are pending, counted or held,
 * and for how long each was seen in that state.
 */
final class HeldStatements implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(300);

    /** A question to the operator that is seen for longer than this does not end by events that arrive later. */
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(20);

    private final NodeProcess node;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<String, Seen> seen = new LinkedHashMap<>();
    private final Thread thread = new Thread(this::run, "held-statements");

    private static final class Seen {
        private final DdlStatement statement;
        private final long since;
        private long until;

        Seen(DdlStatement statement, long now) {
            this.statement = statement;
            this.since = now;
            this.until = now;
        }

        Duration duration() {
            return Duration.ofNanos(until - since);
        }
    }

    HeldStatements(NodeProcess node) {
        this.node = node;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!end.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
                node.ask("/ddl").flatMap(DdlList::parse).ifPresent(list -> update(list.statements()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void update(List<DdlStatement> statements) {
        long now = System.nanoTime();
        for (DdlStatement each : statements) {
            seen.computeIfAbsent(
                            each.state() + " " + each.id() + " " + each.shard() + " " + each.gtid(),
                            any -> new Seen(each, now))
                    .until = now;
        }
    }

    /** Fails if a shard is held by a question to the operator: no statement of the soak may cause one. */
    synchronized void assertNoQuestion() {
        for (Seen each : seen.values()) {
            if (each.statement.state().equals("held") && each.duration().compareTo(LONGEST_QUESTION) > 0) {
                throw new AssertionError("a shard is held: " + each.statement);
            }
        }
    }

    /** For each state: the number of statements, their durations, and the longest ones. */
    synchronized String report() {
        Map<String, List<Seen>> byState = new TreeMap<>();
        seen.values()
                .forEach(each -> byState.computeIfAbsent(each.statement.state(), any -> new ArrayList<>())
                        .add(each));
        StringBuilder text = new StringBuilder();
        byState.forEach((state, all) -> {
            all.sort(Comparator.comparing(Seen::duration).reversed());
            text.append(String.format(
                    Locale.ROOT,
                    "%s: %d statements, median %.1f s, longest %.1f s%n",
                    state,
                    all.size(),
                    seconds(all.get(all.size() / 2)),
                    seconds(all.get(0))));
            all.stream()
                    .limit(5)
                    .forEach(each -> text.append(String.format(
                            Locale.ROOT,
                            "  %6.1f s  %s %s%s%n",
                            seconds(each),
                            each.statement.shard(),
                            DdlCluster.plain(each.statement.text()),
                            each.statement.code().isEmpty()
                                    ? ""
                                    : each.statement.code() + " " + each.statement.message())));
        });
        return text.toString();
    }

    private static double seconds(Seen each) {
        return each.duration().toMillis() / 1000.0;
    }

    @Override
    public void close() {
        end.countDown();
        Await.until("the end of the polling thread", DdlCluster.LIMIT, () -> !thread.isAlive());
    }
}
