package io.tributary.node.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
}
