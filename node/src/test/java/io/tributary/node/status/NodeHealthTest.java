package io.tributary.node.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.testkit.alert.AlertCheck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeHealthTest {
    private static final ReadersStatus SERVING =
            new ReadersStatus(Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 3307)), "reader");
    private static final Leader N1 = new Leader("n1", 7);

    private static NodeHealth of(String state, boolean isHealthy, StatusPart... parts) {
        return NodeHealth.of(new NodeStatus("1.2.3", "dumper", state, isHealthy, List.of(), List.of(parts)), Map.of());
    }

    private static StatusPart leading(ReadersStatus readers, int followersNeeded) {
        return new DumperStatus.Leading(
                N1,
                1000,
                readers,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new ReplicationStatus(7, null, List.of(), followersNeeded, 0)));
    }

    private static List<String> codes(List<NodeHealth.Finding> findings) {
        return findings.stream().map(NodeHealth.Finding::code).toList();
    }

    private static void assertNotReady(NodeHealth.State state, String code, NodeHealth health) {
        assertFalse(health.isReady());
        assertEquals(state, health.state());
        assertEquals(List.of(code), codes(health.reasons()));
    }

    @Test
    void aNodeThatStartsOrRetriesOrStopsIsNotReady() {
        assertNotReady(NodeHealth.State.STARTING, "starting", of("starting", false));
        assertNotReady(NodeHealth.State.STARTING, "starting", of("starting: waits to try again after: x", false));
        assertNotReady(NodeHealth.State.RETRYING, "retrying", of("waiting to try again after: x", false));
        assertNotReady(NodeHealth.State.RETRYING, "retrying", of("starting again after: x", false));
        assertNotReady(NodeHealth.State.STOPPING, "stopping", of("stopping", false));
        assertNotReady(NodeHealth.State.ELECTING, "no-leader", of("running", true, new DumperStatus.Electing()));
    }

    @Test
    void aLeaderIsReadyWhenItServesAndEnoughFollowersCopy() {
        NodeHealth health = of("running", true, leading(SERVING, 0));
        assertTrue(health.isReady());
        assertEquals(NodeHealth.State.LEADER, health.state());
        assertEquals(7, health.term());
        assertNotReady(NodeHealth.State.LEADER, "no-quorum", of("running", true, leading(SERVING, 1)));
        assertNotReady(NodeHealth.State.LEADER, "not-serving", of("running", true, leading(ReadersStatus.NOT_YET, 0)));
    }

    @Test
    void aFollowerIsReadyWhenItServesOrMayNotServe() {
        CopyStatus copy = new CopyStatus(LogPosition.NOTHING, 0);
        NodeHealth serving =
                of("running", true, new DumperStatus.Following(N1, copy, Optional.empty(), Optional.of(SERVING)));
        assertTrue(serving.isReady());
        assertEquals(NodeHealth.State.FOLLOWER, serving.state());
        assertTrue(of("running", true, new DumperStatus.Following(N1, copy, Optional.empty(), Optional.empty()))
                .isReady());
        assertNotReady(
                NodeHealth.State.FOLLOWER,
                "not-serving",
                of(
                        "running",
                        true,
                        new DumperStatus.Copying(
                                HostPort.parse("127.0.0.1:1"),
                                3,
                                copy,
                                Optional.empty(),
                                Optional.of(ReadersStatus.NOT_YET))));
    }

    @Test
    void heldAndStaleShardsAreWarnings() {
        PipelineStatus held =
                new PipelineStatus(List.of(), List.of(new PipelineStatus.HeldShard("s2", "a statement with a secret")));
        NodeHealth health = NodeHealth.of(
                new NodeStatus("1.2.3", "task", "running", true, List.of("s1", "s2"), List.of(held)),
                Map.of("s1", 0.4, "s2", 31.0));
        assertTrue(health.isReady());
        assertEquals(NodeHealth.State.RUNNING, health.state());
        assertEquals(List.of("shard-held", "shard-stale"), codes(health.warnings()));
        assertFalse(health.toString().contains("secret"));
    }

    /** A shard may be held by its login while another one is held by a transaction; one that waits for other members is not held. */
    @Test
    void statusHealthAndMetricsShowTheSameHeldShards() {
        PipelineStatus pipeline = new PipelineStatus(
                List.of(
                        item("s1", SchemaItem.State.HELD, ErrorCode.STATEMENT_FORMAT),
                        item("s3", SchemaItem.State.WAITING, null)),
                List.of(new PipelineStatus.HeldShard("s2", "SHARD_LOGIN_REFUSED: a secret")));
        NodeStatus status =
                new NodeStatus("1.2.3", "task", "running", true, List.of("s1", "s2", "s3"), List.of(pipeline));
        assertEquals(
                List.of(
                        new NodeHealth.Finding("shard-held", "s2", "tributary status"),
                        new NodeHealth.Finding("shard-held", "s1", "tributary ddl list")),
                NodeHealth.of(status, Map.of()).warnings());
        try (Metrics metrics = new Metrics()) {
            metrics.registerSeries(new NodeSeries(() -> status, "abc", metrics)::points);
            String text = metrics.scrape();
            assertTrue(text.contains("tributary_collect_held_shards 2.0"), text);
            assertTrue(text.contains("tributary_shard_held{code=\"SHARD_LOGIN_REFUSED\",shard=\"s2\"} 1.0"), text);
            assertTrue(text.contains("tributary_shard_held{code=\"STATEMENT_FORMAT\",shard=\"s1\"} 1.0"), text);
            assertFalse(text.contains("shard=\"s3\"") || text.contains("secret"), text);
        }
    }

    private static SchemaItem item(String shard, SchemaItem.State state, ErrorCode code) {
        return new SchemaItem(
                "id",
                new SchemaItem.Subject(DdlKind.FORWARD, new TableName("shop", "t"), "ALTER TABLE shop.t ADD a INT"),
                new SchemaItem.Progress(state, 1, code, "a secret", List.of()),
                new SchemaItem.Stop(shard, "g:1", "binlog.000001", 4),
                new SchemaItem.MemberNames(List.of(), List.of()));
    }

    /** A relay reads shards for a Task, which does not see why they are held. */
    @Test
    void aRelayShowsItsHeldShards() {
        RelayStatus relay = new RelayStatus(
                null,
                HostPort.parse("127.0.0.1:1"),
                "open",
                List.of(new PipelineStatus.HeldShard("s2", "SHARD_LOGIN_REFUSED: no login")));
        NodeStatus status = new NodeStatus("1.2.3", "relay", "running", true, List.of("s2"), List.of(relay));
        assertEquals(
                List.of("shard-held"), codes(NodeHealth.of(status, Map.of()).warnings()));
        assertEquals(
                "SHARD_LOGIN_REFUSED: no login", StatusFacts.of(status.parts()).get("shard.s2.held"));
        try (Metrics metrics = new Metrics()) {
            metrics.registerSeries(new NodeSeries(() -> status, "abc", metrics)::points);
            String text = metrics.scrape();
            assertTrue(text.contains("tributary_shard_held{code=\"SHARD_LOGIN_REFUSED\",shard=\"s2\"} 1.0"), text);
            assertFalse(text.contains("tributary_collect_held_shards"), text);
        }
    }

    @Test
    void theStateIsAMetric() {
        try (Metrics metrics = new Metrics()) {
            metrics.register(Metric.SHARD_LAG, () -> 2, "shard", "s1");
            NodeStatus status =
                    new NodeStatus("1.2.3", "dumper", "running", true, List.of(), List.of(leading(SERVING, 0)));
            metrics.registerSeries(new NodeSeries(() -> status, "abc", metrics)::points);
            String text = metrics.scrape();
            assertTrue(text.contains("tributary_node_state{role=\"dumper\",state=\"leader\"} 1.0"), text);
            assertTrue(text.contains("tributary_node_term 7.0"), text);
            assertTrue(text.contains("tributary_node_leader 1.0"), text);
            assertTrue(text.contains("tributary_node_ready 1.0"), text);
            assertTrue(text.contains("revision=\"abc\""), text);
        }
    }

    /** One that cannot reach the coordinator and shows what it knew last, and the one that was elected after it. */
    @Test
    void anAlertFiresWhenTwoNodesShowThatTheyLead(@TempDir Path folder) throws Exception {
        String leads = shown(leading(SERVING, 0));
        String follows = shown(new DumperStatus.Electing());
        new AlertCheck(folder)
                .shows("a:8080", leads, Duration.ofMinutes(10))
                .shows("b:8080", follows, Duration.ofMinutes(10))
                .fault()
                .shows("a:8080", leads, Duration.ofMinutes(5))
                .shows("b:8080", leads, Duration.ofMinutes(5))
                .assertFires("TributaryTwoLeaders");
    }

    private static String shown(StatusPart part) {
        NodeStatus status = new NodeStatus("1.2.3", "dumper", "running", true, List.of(), List.of(part));
        try (Metrics metrics = new Metrics()) {
            metrics.registerSeries(new NodeSeries(() -> status, "abc", metrics)::points);
            return metrics.scrape();
        }
    }
}
