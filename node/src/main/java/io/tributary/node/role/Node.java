package io.tributary.node.role;

import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.DirectMemory;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.node.console.RowSearch;
import io.tributary.node.log.LogConfig;
import io.tributary.node.log.Logging;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.status.NodeSeries;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.rpc.Rpc;
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

/** Runs one node from start to end: its role, its admin endpoint and, if enabled, its TSO service. */
public final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private Node() {}

    /**
     * Runs until the node is stopped.
     *
     * @param file reads the configuration file again, as it is now
     * @param runs the program's version, for log, status and metrics
     * @param rows the search in the node's binlog files
     * @throws io.tributary.common.error.TributaryException what ended the node
     */
    public static void run(Config config, Supplier<Config> file, NodeVersion runs, StopSignal stop, RowSearch rows)
            throws InterruptedException {
        Logging.configure(config.get(LogConfig.class));
        String version = runs.text();
        AckCheck.require(config);
        GrpcListenCheck.require(config);
        NodeConfig node = config.get(NodeConfig.class);
        String name = node.isMember() ? node.roles().toString() : node.role().toString();
        LOG.info("node starts: version={} role=\"{}\"", version, name.toLowerCase(Locale.ROOT));
        GrpcTlsConfig between = config.get(TransmitConfig.class).tls();
        var unused = Rpc.of(between); // unusable TLS files end the start, but never a running node
        Metrics metrics = new Metrics();
        Startup startup = new Startup(stop);
        NodeStatusView statusView =
                new NodeStatusView(version, name.toLowerCase(Locale.ROOT), startup, rows, between.ca());
        register(metrics, config, new NodeSeries(statusView::status, runs.revision(), metrics));
        try (AdminServer admin = AdminServer.open(
                config.get(AdminConfig.class), metrics, statusView, new LiveConfig(config, file, statusView::update))) {
            InetSocketAddress address = admin.address();
            LOG.info(
                    "admin endpoint opened: url={}://{}:{}/status",
                    config.get(AdminConfig.class).access().certificate().isPresent() ? "https" : "http",
                    address.getHostString(),
                    address.getPort());
            NodeEnvironment environment =
                    new NodeEnvironment(new ConfigSource(config, file), version, metrics, Clock.SYSTEM, startup);
            begin(() -> make(node, environment), environment, statusView);
        } finally {
            metrics.close();
        }
        LOG.info("node stopped: version={}", version);
    }

    /** Registers what every role has. */
    private static void register(Metrics metrics, Config config, NodeSeries node) {
        metrics.register(Metric.DIRECT_MEMORY, DirectMemory::used);
        metrics.registerProcess();
        metrics.registerSeries(node::points);
        metrics.registerSeries(Logging::points);
        metrics.registerSeries(new CertificateSeries(config)::points);
    }

    private static void begin(Supplier<Role> make, NodeEnvironment environment, NodeStatusView statusView)
            throws InterruptedException {
        Role made;
        try {
            made = make.get();
        } catch (TributaryException e) {
            if (!environment.stop().isRequested()) {
                throw e;
            }
            LOG.info("node stopped during its start: error=\"{}\"", e.line());
            return;
        }
        try (Role role = made;
                TsoServer tso = openTso(environment.config().get(TsoConfig.class), environment.metrics());
                NodeStatusView.Shown shown = statusView.publish(role)) {
            LOG.debug("status published: view={} role={}", shown, role);
            if (tso != null) {
                LOG.info("timestamp service opened: port={}", tso.port());
            }
            role.run();
        }
    }

    /** Null if this node has no TSO service. */
    private static TsoServer openTso(TsoConfig config, Metrics metrics) {
        return config.enabled() ? TsoServer.open(config, metrics.child(), Clock.SYSTEM) : null;
    }

    private static Role make(NodeConfig node, NodeEnvironment environment) {
        if (node.isMember()) {
            return ClusterRole.of(environment);
        }
        return switch (node.role()) {
            case STANDALONE -> new StandaloneRole(environment);
            case TASK -> new TaskRole(environment, StreamWatch.NONE, List::of);
            case RELAY -> new RelayRole(environment, Optional.empty());
            case APPLY -> ReaderRole.applier(environment);
            case SINK -> ReaderRole.sink(environment);
            case DUMPER ->
                environment
                                .config()
                                .get(ReplicateConfig.class)
                                .topology()
                                .leader()
                                .isPresent()
                        ? new FollowerRole(environment)
                        : new DumperRole(environment);
        };
    }
}
