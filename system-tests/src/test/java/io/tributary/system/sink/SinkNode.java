package io.tributary.system.sink;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.Ports;
import java.time.Duration;

/** Sinks (node.role=sink) of tests. */
final class SinkNode {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private SinkNode() {}

    /** A sink that is not started, with the settings of a cluster and of brokers. */
    static NodeProcess of(LocalCluster cluster, KafkaBrokers brokers, String name) {
        return cluster.newNode(
                name,
                config -> config.set("node.role", "sink")
                        .set("admin.listen", "127.0.0.1:" + Ports.free())
                        .set("sink.nodes", "127.0.0.1:" + cluster.servePort())
                        .set("sink.name", name)
                        .set("sink.user", LocalCluster.READER.name())
                        .set("sink.password", LocalCluster.READER.password())
                        .set("sink.brokers", brokers.addresses())
                        .set("sink.kafka.request.timeout", "2s")
                        .set("sink.kafka.delivery.timeout", "4s")
                        .set("sink.retry", "500ms")
                        .set("sink.delivery", System.getProperty("sink.delivery", "exactly-once")));
    }

    /** Waits until the sink has committed more since the last call. */
    static void awaitMore(NodeProcess sink) {
        double before = sink.metric("tributary_sink_transactions_total");
        Await.until(
                () -> "more transactions in Kafka; " + sink.facts() + "; " + sink.lastLines(),
                LIMIT,
                () -> sink.metric("tributary_sink_transactions_total") > before + 20);
    }

    /** Waits until it has sent all that the cluster has written. */
    static void awaitSent(LocalCluster cluster, NodeProcess sink) throws Exception {
        cluster.awaitAllWritten(LIMIT);
        String all = cluster.gtidExecuted();
        Await.until(
                () -> "the sink to send " + all + "; " + sink.facts() + "; " + sink.lastLines(),
                LIMIT,
                () -> all.equals(sink.fact("sink.executed").orElse(""))
                        && "0".equals(sink.fact("sink.lag.transactions").orElse("")));
    }
}
