package io.tributary.node.check;

import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.RoleName;
import io.tributary.serve.ServeConfig;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The check of the addresses at which a node would listen: opens each free one for a moment. */
public final class PortCheck {
    private final Map<String, HostPort> addresses = new LinkedHashMap<>();

    /** @param config the configuration of the node to start */
    public PortCheck(Config config) {
        NodeConfig node = config.get(NodeConfig.class);
        addresses.put("admin.listen", config.get(AdminConfig.class).listen());
        if (node.keepsFiles()) {
            addresses.put("serve.listen", config.get(ServeConfig.class).listen());
            ReplicateConfig replicate = config.get(ReplicateConfig.class);
            if (node.isMember() || replicate.topology().isCopied()) {
                addresses.put("dumper.listen", replicate.listen());
            }
        }
        if (offersStreams(node)) {
            addresses.put("transmit.listen", config.get(TransmitConfig.class).listen());
        }
        TsoConfig tso = config.get(TsoConfig.class);
        if (tso.enabled()) {
            addresses.put("tso.listen", tso.listen());
        }
    }

    private static boolean offersStreams(NodeConfig node) {
        return node.isMember()
                ? node.roles().contains(MemberRole.TASK) || node.roles().contains(MemberRole.RELAY)
                : node.role() == RoleName.TASK || node.role() == RoleName.RELAY;
    }

    /** One line for each address that cannot be used, by its key. */
    public Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        addresses.forEach((key, address) -> refusal(address)
                .ifPresent(why -> problems.put(
                        key,
                        key + ": expected an address of this machine with a free port, found " + address + ": " + why
                                + " | stop the process that listens there (ss -ltnp), or configure another address")));
        return problems;
    }

    private static Optional<String> refusal(HostPort address) {
        InetSocketAddress resolved = address.resolve();
        if (resolved.isUnresolved()) {
            return Optional.of("no such host");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(resolved);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
