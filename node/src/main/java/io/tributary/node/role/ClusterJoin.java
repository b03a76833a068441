package io.tributary.node.role;

import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.process.StopSignal;
import io.tributary.serve.ServeConfig;
import io.tributary.transmitter.TransmitConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers a node as a member of its cluster. */
final class ClusterJoin {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterJoin.class);

    private ClusterJoin() {}

    /** The member that a node registers: its roles and addresses. */
    static ClusterMember of(Config config, Clock clock) {
        CoordinationConfig coordination = config.get(CoordinationConfig.class);
        HostPort admin = config.get(AdminConfig.class).listen();
        NodeConfig node = config.get(NodeConfig.class);
        Set<MemberRole> roles = Set.copyOf(node.roles());
        Optional<String> host = coordination.host();
        String id = coordination.node().orElseGet(() -> host.orElse(admin.host()) + "-" + admin.port());
        return new ClusterMember(
                id,
                roles,
                new ClusterMember.Addresses(
                        node.readsShards()
                                ? advertised(
                                        host, config.get(TransmitConfig.class).listen())
                                : Optional.empty(),
                        node.keepsFiles()
                                ? advertised(
                                        host, config.get(ReplicateConfig.class).listen())
                                : Optional.empty(),
                        node.keepsFiles()
                                ? advertised(host, config.get(ServeConfig.class).listen())
                                : Optional.empty(),
                        advertised(host, admin)),
                roles.contains(MemberRole.RELAY)
                        ? config.get(ExtractorConfig.class).shards().keySet()
                        : Set.of(),
                clock.epochMicros());
    }

    /** The roles in the form of the status. */
    static String roles(ClusterMember self) {
        return String.join(
                ",",
                self.roles().stream()
                        .map(role -> role.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList());
    }

    private static Optional<HostPort> advertised(Optional<String> host, HostPort listen) {
        return Optional.of(new HostPort(host.orElse(listen.host()), listen.port()));
    }

    /** Joins, with retries: on a busy machine a session may end before the node is registered. */
    static void join(Coordinator coordinator, ClusterMember self, StopSignal stop) throws InterruptedException {
        Backoff pauses = new Backoff();
        for (boolean hasJoined = false; !hasJoined && !stop.isRequested(); ) {
            try {
                coordinator.join(self);
                hasJoined = true;
            } catch (TributaryException e) {
                if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
                    throw e;
                }
                LOG.warn("node has not joined: action=retry error=\"{}\"", e.line());
                stop.await(pauses.nextNanos(false));
            }
        }
    }
}
