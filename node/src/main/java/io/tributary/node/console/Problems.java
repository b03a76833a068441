package io.tributary.node.console;

import io.tributary.common.metric.Metric;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.Hold;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.node.status.ReplicationStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What needs an operator's attention now, the most urgent first. Each has a text, the part of the page that shows more, and the next command. */
final class Problems {
    private static final double BEHIND_SECONDS = 10;

    /** How urgent a problem is. */
    private enum Level {
        ERROR,
        WARNING
    }

    private final List<Map<String, Object>> errors = new ArrayList<>();
    private final List<Map<String, Object>> warnings = new ArrayList<>();
    private final Audience audience;

    Problems(Audience audience) {
        this.audience = audience;
    }

    /** All problems, errors first. */
    List<Map<String, Object>> of(ConsoleInput now) {
        NodeStatus status = now.status();
        if (!status.isHealthy()) {
            add(
                    status.state().startsWith("starting") ? Level.WARNING : Level.ERROR,
                    "This node does not work at the moment: " + ConsoleState.state(status, audience),
                    "node",
                    "tributary status");
        }
        status.parts().forEach(part -> {
            addHeld(part.holds());
            if (part instanceof PipelineStatus pipeline) {
                addChanges(pipeline);
            } else if (part instanceof ClusterStatus cluster && cluster.leader().isEmpty()) {
                add(Level.ERROR, "The cluster has no leader: no Dumper writes", "topology", "tributary cluster status");
            } else if (part instanceof DumperStatus dumper) {
                replication(dumper).ifPresent(this::addWaiting);
            }
        });
        addFromMetrics(now.samples());
        Level level = now.certificate().hasExpired() ? Level.ERROR : Level.WARNING;
        now.certificate().problem().ifPresent(problem -> add(level, problem, "node", ""));
        List<Map<String, Object>> all = new ArrayList<>(errors);
        all.addAll(warnings);
        return all;
    }

    private void addHeld(List<Hold> holds) {
        if (!holds.isEmpty()) {
            long shards = holds.stream().map(Hold::shard).distinct().count();
            String codes = holds.stream().map(Hold::code).distinct().sorted().collect(Collectors.joining(", "));
            add(
                    Level.ERROR,
                    counted((int) shards, "shard is", "shards are") + " held: " + codes,
                    "held",
                    holds.get(0).look());
        }
    }

    private void addChanges(PipelineStatus pipeline) {
        Object changes = new HoldRows(audience).changes(pipeline).get("total");
        if (!changes.equals(0)) {
            add(
                    Level.WARNING,
                    counted((int) changes, "schema change is", "schema changes are") + " not complete on all members",
                    "changes",
                    "tributary ddl list");
        }
    }

    private static Optional<ReplicationStatus> replication(DumperStatus dumper) {
        if (dumper instanceof DumperStatus.Leading leading) {
            return leading.replication();
        }
        return dumper instanceof DumperStatus.Standalone alone ? alone.replication() : Optional.empty();
    }

    private void addWaiting(ReplicationStatus replication) {
        if (replication.followers().size() < replication.needed()) {
            add(
                    Level.ERROR,
                    "Readers get nothing new: " + replication.needed() + " followers must acknowledge, "
                            + replication.followers().size() + " copy now",
                    "topology",
                    "tributary cluster status");
        }
    }

    private void addFromMetrics(SampleTable samples) {
        double inDoubt = samples.sum(Metric.COLLECT_IN_DOUBT);
        if (inDoubt > 0) {
            add(
                    Level.ERROR,
                    counted((int) inDoubt, "transaction is", "transactions are") + " in doubt",
                    "transactions",
                    "tributary xa list");
        }
        long behind = samples.by("shard", Metric.EXTRACT_LAG).values().stream()
                .filter(lag -> lag > BEHIND_SECONDS)
                .count();
        if (behind > 0) {
            add(
                    Level.WARNING,
                    counted((int) behind, "shard is", "shards are") + " more than " + (int) BEHIND_SECONDS
                            + " s behind, or not reachable",
                    "shards",
                    "tributary status");
        }
        if (samples.sum(Metric.STORE_WAITING) > 0) {
            add(Level.WARNING, "Shards are read slower because the store is full", "links", "tributary status");
        }
        if (samples.sum(Metric.VERIFY_FINDINGS) > 0) {
            add(Level.ERROR, "A replica differs from the shards", "replicas", "tributary verify");
        }
        if (samples.sum(Metric.SERVE_STALE) > 0) {
            add(
                    Level.WARNING,
                    "A file of users or certificates of readers cannot be used",
                    "replicas",
                    "tributary status");
        }
        if (samples.sum(Metric.DATE_JUMPED) > 0) {
            add(
                    Level.WARNING,
                    "The machine's date has jumped: no binlog file is purged by age",
                    "node",
                    "tributary status");
        }
    }

    private void add(Level level, String text, String part, String command) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("level", level.name().toLowerCase(Locale.ROOT));
        problem.put("text", Bounded.text(text));
        problem.put("part", part);
        if (audience == Audience.OPERATOR) {
            problem.put("command", command);
        }
        (level == Level.ERROR ? errors : warnings).add(problem);
    }

    private static String counted(int number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
