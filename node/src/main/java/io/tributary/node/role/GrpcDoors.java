package io.tributary.node.role;

import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.rpc.GrpcTlsConfig;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a node listens for other nodes: beyond loopback it asks for certificates, unless its configuration says aloud that it does not. */
public final class GrpcDoors {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcDoors.class);

    private GrpcDoors() {}

    /** What is wrong, and what to do: a line for each address. */
    public static List<String> problems(Config config) {
        GrpcTlsConfig tls = config.get(TransmitConfig.class).tls();
        List<String> problems = new ArrayList<>();
        if (!tls.insecure()) {
            open(config)
                    .forEach((key, listen) -> problems.add(key + " = " + listen
                            + ": expected grpc.tls.certificate, .key and .ca beside an address beyond loopback, found none:"
                            + " tributary certs init makes them; or grpc.insecure = true where only nodes reach it"));
        }
        return problems;
    }

    /**
     * At the start. Where the configuration permits to listen without certificates, the log says so for each address.
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
                        "INSECURE: {} = {} takes whoever reaches it for a node of this cluster, without TLS and login"
                                + " (grpc.insecure = true): he may read the whole binlog and end streams",
                        key,
                        listen));
    }

    /** Those that anybody may use who reaches them. */
    private static Map<String, HostPort> open(Config config) {
        Map<String, HostPort> all = new LinkedHashMap<>();
        NodeConfig node = config.get(NodeConfig.class);
        TransmitConfig transmit = config.get(TransmitConfig.class);
        if (sends(node)) {
            all.put("transmit.listen", transmit.listen());
        }
        if (node.keepsFiles()) {
            ReplicateConfig replicate = config.get(ReplicateConfig.class);
            if (node.isMember() || replicate.isCopied()) {
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
