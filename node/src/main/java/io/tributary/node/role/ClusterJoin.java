package io.tributary.node.role;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.serve.ServeConfig;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.transmitter.TransmitConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a node becomes a member of its cluster. */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private Membership() {}

    /** What a node tells the others of itself. */
    static Member of(Config config, Clock clock) {
        CoordinationConfig coordination = config.get(CoordinationConfig.class);
        HostPort admin = config.get(AdminConfig.class).listen();
        NodeConfig node = config.get(NodeConfig.class);
        Set<MemberRole> roles = Set.copyOf(node.roles());
        Optional<String> host = coordination.host();
        String id = coordination.node().orElseGet(() -> host.orElse(admin.host()) + "-" + admin.port());
        return new Member(
                id,
                roles,
                node.readsShards()
                        ? reached(host, config.get(TransmitConfig.class).listen())
                        : Optional.empty(),
                node.keepsFiles()
                        ? reached(host, config.get(ReplicateConfig.class).listen())
                        : Optional.empty(),
                node.keepsFiles() ? reached(host, config.get(ServeConfig.class).listen()) : Optional.empty(),
                reached(host, admin),
                roles.contains(MemberRole.RELAY)
                        ? config.get(ExtractorConfig.class).shards().keySet()
                        : Set.of(),
                clock.epochMicros());
    }

    /** Its roles as its status names them. */
    static String roles(Member self) {
        return String.join(
                ",",
                self.roles().stream()
                        .map(role -> role.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList());
    }

    private static Optional<HostPort> reached(Optional<String> host, HostPort listen) {
        return Optional.of(new HostPort(host.orElse(listen.host()), listen.port()));
    }

    /** On a machine that is busy a session may end before the node is in; it begins again, as later sessions that are lost do. */
    static void join(Coordinator coordinator, Member self, StopSignal stop) throws InterruptedException {
        Pauses pauses = new Pauses();
        for (boolean isIn = false; !isIn && !stop.isRequested(); ) {
            try {
                coordinator.join(self);
                isIn = true;
            } catch (TributaryException e) {
                if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
                    throw e;
                }
                LOG.warn("{} | tries again to join", e.line());
                stop.await(pauses.nextNanos(false));
            }
        }
    }
}
