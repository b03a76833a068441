package io.tributary.node.console;

import io.tributary.backup.Manifest;
import io.tributary.common.metric.Metric;
import io.tributary.node.status.ApplyStatus;
import io.tributary.node.status.BackupStatus;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.node.status.QuorumStatus;
import io.tributary.node.status.ReaderStatus;
import io.tributary.node.status.RelayStatus;
import io.tributary.node.status.SinkStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.node.status.TaskStatus;
import io.tributary.node.status.UpstreamStatus;
import io.tributary.node.status.VerifyStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The document that the console shows, as maps, lists, texts and numbers. Every list and every text has a maximum length, so that its size does not
 * depend on the number of shards, tables, transactions or files: it is below {@link #MOST_BYTES}.
 */
public final class ConsoleState {
    /** The maximum size of the document as JSON in UTF-8, for names of usual length. */
    public static final int MOST_BYTES = 256 << 10;

    private static final int MOST_LINKS = 40;
    private static final int MOST_REPLICAS = 20;
    private static final int MOST_FILES = 5;
    private static final String LAG_BYTES = "lag.bytes";

    private final ConsoleInput now;
    private final Audience audience;
    private final Map<String, Object> page = new LinkedHashMap<>();

    private ConsoleState(ConsoleInput now, Audience audience) {
        this.now = now;
        this.audience = audience;
    }

    /** The document for one group of readers. */
    public static Map<String, Object> of(ConsoleInput now, Audience audience) {
        ConsoleState state = new ConsoleState(now, audience);
        state.addAll();
        return state.page;
    }

    private void addAll() {
        page.put("audience", audience.name().toLowerCase(Locale.ROOT));
        page.put("node", node());
        page.put("problems", new Problems(audience).of(now));
        page.put("totals", ConsoleHistory.totals(now.samples()));
        page.put("gauges", gauges());
        page.put("links", links());
        ShardRows shards = new ShardRows(now.status(), now.samples());
        Map<String, Object> rows = shards.page(0, "", audience);
        rows.put("states", shards.counts());
        page.put("shards", rows);
        now.transactions()
                .ifPresent(snapshot -> page.put("transactions", new HoldRows(audience).transactions(snapshot)));
        now.status().parts().forEach(this::add);
        page.put("readers", readers());
    }

    private Map<String, Object> node() {
        NodeStatus status = now.status();
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("name", name(status));
        node.put("role", status.role());
        node.put("state", state(status, audience));
        node.put("healthy", status.isHealthy());
        if (isOperator()) {
            node.put("version", status.version());
            now.certificate().until().ifPresent(until -> node.put("certificateUntil", until.toString()));
        }
        return node;
    }

    /** The name of a node in its cluster; "" if it is in none. */
    public static String name(NodeStatus status) {
        return status.parts().stream()
                .filter(MemberStatus.class::isInstance)
                .map(part -> Bounded.text(((MemberStatus) part).node()))
                .findFirst()
                .orElse("");
    }

    /** The state of the node; viewers do not see the message of an error. */
    static String state(NodeStatus status, Audience audience) {
        int colon = status.state().indexOf(':');
        if (audience == Audience.OPERATOR || colon < 0) {
            return Bounded.text(status.state());
        }
        String begin = status.state().substring(0, colon);
        return begin.endsWith(" after") ? begin + " an error" : begin;
    }

    private Map<String, Object> gauges() {
        SampleTable samples = now.samples();
        Map<String, Object> gauges = new LinkedHashMap<>();
        put(gauges, "shardLag", samples.largest(Metric.SHARD_LAG));
        put(gauges, "readLag", samples.largest(Metric.EXTRACT_LAG));
        put(gauges, "waiting", samples.sum(Metric.COLLECT_WAITING));
        put(gauges, "oldest", samples.largest(Metric.COLLECT_OLDEST));
        put(gauges, "inDoubt", samples.sum(Metric.COLLECT_IN_DOUBT));
        put(gauges, "storeMemory", samples.sum(Metric.STORE_MEMORY));
        put(gauges, "storeSpilled", samples.sum(Metric.STORE_SPILLED));
        put(gauges, "directMemory", samples.sum(Metric.DIRECT_MEMORY));
        put(gauges, "readers", samples.sum(Metric.SERVE_READERS));
        put(gauges, "readersWaitingBytes", samples.sum(Metric.SERVE_WAITING));
        put(gauges, "semiSyncReaders", samples.sum(Metric.SERVE_SEMI_SYNC_READERS));
        put(gauges, "followers", samples.sum(Metric.LEAD_FOLLOWERS));
        put(gauges, "leadWaitingBytes", samples.sum(Metric.LEAD_WAITING));
        put(gauges, "followBehindBytes", samples.sum(Metric.FOLLOW_BEHIND));
        put(gauges, "backupPending", samples.sum(Metric.BACKUP_PENDING));
        put(gauges, "backupFailures", samples.sum(Metric.BACKUP_FAILURES));
        return gauges;
    }

    private static void put(Map<String, Object> gauges, String name, double value) {
        if (!Double.isNaN(value)) {
            gauges.put(name, value);
        }
    }

    /** The links, those with most waiting bytes first. */
    private Map<String, Object> links() {
        SampleTable samples = now.samples();
        Map<String, Double> bytes = samples.by("link", Metric.LINK_DEPTH_BYTES);
        Map<String, Double> passed = samples.by("link", Metric.LINK_PASSED);
        Map<String, Double> full = samples.by("link", Metric.LINK_NO_ROOM);
        Map<String, Double> depth = samples.by("link", Metric.LINK_DEPTH);
        List<String> names = depth.keySet().stream()
                .sorted((one, other) -> Double.compare(full.getOrDefault(other, 0.0), full.getOrDefault(one, 0.0)))
                .toList();
        return Bounded.list(names, MOST_LINKS, name -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", Bounded.text(name));
            row.put("depth", depth.get(name));
            row.put("bytes", bytes.get(name));
            row.put("passed", passed.get(name));
            row.put("fullSeconds", full.get(name));
            return (Object) row;
        });
    }

    private void add(StatusPart part) {
        if (part instanceof ClusterStatus cluster) {
            page.put("cluster", new ClusterRows(audience).cluster(cluster));
        } else if (part instanceof DumperStatus dumper) {
            page.put("dumper", new ClusterRows(audience).dumper(dumper));
        } else if (part instanceof PipelineStatus pipeline) {
            page.put("held", new HoldRows(audience).held(pipeline));
            page.put("changes", new HoldRows(audience).changes(pipeline));
        } else if (part instanceof TaskStatus task) {
            page.put("stream", offer(task.newest(), task.listen().toString()));
        } else if (part instanceof RelayStatus relay) {
            page.put("stream", offer(relay.newest(), relay.listen().toString()));
        } else if (part instanceof UpstreamStatus upstream && isOperator()) {
            page.put("task", upstream.task().toString());
        } else if (part instanceof QuorumStatus quorum) {
            page.put("electionNeeds", quorum.quorum().election());
            page.put("dumpers", quorum.quorum().dumpers());
            page.put("copies", quorum.quorum().copies());
        } else if (part instanceof BackupStatus backup) {
            page.put("backup", backup(backup.files()));
        } else if (part instanceof VerifyStatus verify) {
            page.put("verify", verify(verify));
        } else if (part instanceof ApplyStatus apply) {
            page.put(
                    "reader",
                    reader("apply", apply.reader(), apply.way().target().toString()));
        } else if (part instanceof SinkStatus sink) {
            page.put("reader", reader("sink", sink.reader(), sink.way().brokers()));
        }
    }

    private Map<String, Object> offer(String newest, String listen) {
        Map<String, Object> stream = new LinkedHashMap<>();
        if (isOperator()) {
            stream.put("newest", Bounded.text(newest));
            stream.put("listen", listen);
        }
        return stream;
    }

    private Map<String, Object> backup(List<Manifest.Entry> files) {
        Map<String, Object> backup = new LinkedHashMap<>();
        backup.put("files", files.size());
        backup.put("bytes", files.stream().mapToLong(Manifest.Entry::size).sum());
        if (isOperator()) {
            List<Object> newest = new ArrayList<>();
            for (int i = files.size() - 1; i >= Math.max(0, files.size() - MOST_FILES); i--) {
                Manifest.Entry file = files.get(i);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", Bounded.text(file.name()));
                row.put("size", file.size());
                row.put("firstMicros", file.firstMicros());
                row.put("encrypted", file.key().isPresent());
                newest.add(row);
            }
            backup.put("newest", newest);
        }
        return backup;
    }

    private Map<String, Object> verify(VerifyStatus verify) {
        return Bounded.list(verify.replicas(), MOST_REPLICAS, replica -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("running", replica.running().isPresent());
            replica.runs().stream().findFirst().ifPresent(run -> {
                row.put("findings", run.findings());
                row.put("rows", run.rows());
                row.put("failed", !run.error().isEmpty());
                run.end().ifPresent(end -> row.put("end", end.toString()));
            });
            if (isOperator()) {
                row.put("address", replica.address());
                replica.runs().stream().findFirst().ifPresent(run -> row.put("result", Bounded.text(run.toString())));
            }
            return (Object) row;
        });
    }

    private Map<String, Object> reader(String kind, ReaderStatus reader, String target) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("kind", kind);
        int colon = reader.state().indexOf(':');
        row.put(
                "state",
                isOperator() || colon < 0
                        ? Bounded.text(reader.state())
                        : reader.state().substring(0, colon));
        row.put("transactions", reader.lag().transactions());
        row.put("seconds", reader.lag().seconds());
        if (isOperator()) {
            row.put("name", Bounded.text(reader.name()));
            row.put("node", reader.node().toString());
            row.put("target", Bounded.text(target));
            row.put("executed", Bounded.text(reader.progress().executed().line()));
        }
        return row;
    }

    /** The connected readers of this node's binlog, the slowest first. */
    private Map<String, Object> readers() {
        List<Map.Entry<String, Map<String, Double>>> slowestFirst =
                new ArrayList<>(now.samples().byReader().entrySet());
        slowestFirst.sort(Comparator.comparingDouble(entry -> -entry.getValue().getOrDefault(LAG_BYTES, 0.0)));
        return Bounded.list(slowestFirst, MOST_REPLICAS, entry -> {
            Map<String, Object> row = new LinkedHashMap<>();
            if (isOperator()) {
                row.put("name", Bounded.text(entry.getKey()));
            }
            row.putAll(entry.getValue());
            return (Object) row;
        });
    }

    private boolean isOperator() {
        return audience == Audience.OPERATOR;
    }
}
