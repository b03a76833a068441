package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.common.io.DirectMemory;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.rpc.Rpc;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import io.tributary.tso.TsoServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node from start to end: its role, its admin endpoint and, where it has one, its TSO service. */
public final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private Node() {}

    /**
     * Runs until the node is to stop.
     *
     * @param file reads the configuration again, as it stands now
     * @param version the program's version, for log and status
     * @throws io.tributary.common.error.TributaryException what ended the node
     */
    public static void run(Config config, Supplier<Config> file, String version, StopSignal stop)
            throws InterruptedException {
        AckCheck.require(config);
        NodeConfig node = config.get(NodeConfig.class);
        String name = node.isMember() ? node.roles().toString() : node.role().toString();
        LOG.info("tributary {} starts as {}", version, name.toLowerCase(Locale.ROOT));
        var unused = Rpc.of(
                config.get(TransmitConfig.class).tls()); // what cannot be used ends the start, and no node that runs
        Metrics metrics = new Metrics();
        metrics.register(Metric.DIRECT_MEMORY, DirectMemory::used);
        try (Role role = make(node, config, file, version, metrics, stop);
                TsoServer tso = openTso(config.get(TsoConfig.class), metrics);
                AdminServer admin = AdminServer.open(
                        config.get(AdminConfig.class).listen(),
                        metrics,
                        role,
                        new LiveConfig(config, file, role::take))) {
            InetSocketAddress address = admin.address();
            LOG.info("admin endpoint: http://{}:{}/status", address.getHostString(), address.getPort());
            if (tso != null) {
                LOG.info("hands out timestamps on port {}", tso.port());
            }
            role.run();
        } finally {
            metrics.close();
        }
        LOG.info("stopped");
    }

    /** Null where this node has none. */
    private static TsoServer openTso(TsoConfig config, Metrics metrics) {
        return config.enabled() ? TsoServer.open(config, metrics.child(), Clock.SYSTEM) : null;
    }

    private static Role make(
            NodeConfig node, Config config, Supplier<Config> file, String version, Metrics metrics, StopSignal stop) {
        if (node.isMember()) {
            return ClusterRole.of(config, file, version, metrics, Clock.SYSTEM, stop);
        }
        return switch (node.role()) {
            case STANDALONE -> new StandaloneRole(config, file, version, metrics, Clock.SYSTEM, stop);
            case TASK -> new TaskRole(config, file, version, metrics, Clock.SYSTEM, stop, StreamWatch.NONE, List::of);
            case RELAY -> new RelayRole(config, file, version, metrics, Clock.SYSTEM, stop, Optional.empty());
            case DUMPER ->
                config.get(ReplicateConfig.class).leader().isPresent()
                        ? new FollowerRole(config, version, metrics, Clock.SYSTEM, stop)
                        : new DumperRole(config, version, metrics, Clock.SYSTEM, stop);
        };
    }
}
