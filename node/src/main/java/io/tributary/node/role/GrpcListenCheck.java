package io.tributary.node.role;

import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the addresses at which a node listens for other nodes: beyond loopback they need TLS certificates, unless grpc.insecure is set. */
public final class GrpcListenCheck {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcListenCheck.class);

    private GrpcListenCheck() {}

    /** The problems and how to fix them, one line per address. */
    public static List<String> problems(Config config) {
        GrpcTlsConfig tls = config.get(TransmitConfig.class).tls();
        List<String> problems = new ArrayList<>();
        if (!tls.insecure()) {
            open(config)
                    .forEach(
                            (key, listen) -> problems.add(
                                    key + " = " + listen
                                            + ": expected grpc.tls.certificate, .key and .ca for an address beyond loopback, found none:"
                                            + " create them with tributary certs init, or set grpc.insecure = true if only nodes reach it"));
        }
        return problems;
    }

    /**
     * Checks at the start of a node. Logs a warning for each address that may be used without certificates.
     *
     * @throws TributaryException CONFIG_INVALID
     */
    public static void require(Config config) {
        List<String> problems = problems(config);
        if (!problems.isEmpty()) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, String.join("; ", problems));
        }
        open(config)
                .forEach((key, listen) -> LOG.warn(
                        "insecure listen address: key={} address={} reason=\"grpc.insecure = true: no TLS and no login\""
                                + " effect=\"every client that reaches it may read the whole binlog and end streams\"",
                        key,
                        listen));
    }

    /** The addresses that any client may use. */
    private static Map<String, HostPort> open(Config config) {
        Map<String, HostPort> all = new LinkedHashMap<>();
        NodeConfig node = config.get(NodeConfig.class);
        TransmitConfig transmit = config.get(TransmitConfig.class);
        if (sends(node)) {
            all.put("transmit.listen", transmit.listen());
        }
        if (node.keepsFiles()) {
            ReplicateConfig replicate = config.get(ReplicateConfig.class);
            if (node.isMember() || replicate.topology().isCopied()) {
                all.put("dumper.listen", replicate.listen());
            }
        }
        TsoConfig tso = config.get(TsoConfig.class);
        if (tso.enabled()) {
            all.put("tso.listen", tso.listen());
        }
        all.values().removeIf(listen -> !transmit.tls().isOpen(listen));
        return all;
    }

    private static boolean sends(NodeConfig node) {
        return node.isMember()
                ? node.roles().contains(MemberRole.TASK) || node.roles().contains(MemberRole.RELAY)
                : node.role() == RoleName.TASK || node.role() == RoleName.RELAY;
    }
}
