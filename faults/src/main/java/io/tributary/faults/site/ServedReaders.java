package io.tributary.faults.site;

import io.tributary.common.config.HostPort;
import io.tributary.faults.reader.LiveReader;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The readers of a test cluster: one that a proxy connects to any Dumper, and, with several Dumpers, one reader for each of them. */
final class ServedReaders {
    private final Nodes nodes;
    private final Map<String, LiveReader> all = new LinkedHashMap<>();
    private LiveReader roaming;

    ServedReaders(Nodes nodes) {
        this.nodes = nodes;
    }

    /** @param serve a proxy to the leader; this method changes its target to all Dumpers */
    void open(TcpProxy serve) throws IOException {
        roaming = reader("the reader", new InetSocketAddress(InetAddress.getLoopbackAddress(), serve.port()));
        if (nodes.dumpers().size() > 1) {
            serve.retarget(allServed());
            for (NodeProcess dumper : nodes.dumpers()) {
                reader("the reader of " + dumper.name(), served(dumper));
            }
        }
    }

    private LiveReader reader(String name, InetSocketAddress at) throws IOException {
        LiveReader made =
                new LiveReader(at, LocalCluster.READER, nodes.cluster().folder().resolve("served-" + all.size()));
        all.put(name, made);
        return made;
    }

    /** The address on which a Dumper serves readers. */
    static InetSocketAddress served(NodeProcess node) {
        return HostPort.parse(node.config().get("serve.listen")).resolve();
    }

    private List<InetSocketAddress> allServed() {
        return nodes.dumpers().stream().map(ServedReaders::served).toList();
    }

    /** Makes the reader behind the proxy read from the leader now. Later it may read from any Dumper. */
    void readFromTheLeader(TcpProxy serve) {
        if (nodes.dumpers().size() == 1) {
            return;
        }
        int before = roaming.connections();
        serve.retarget(List.of(served(nodes.leader()))).cut();
        Await.until("the reader to connect to the leader", TestCluster.LIMIT, () -> roaming.connections() > before);
        serve.retarget(allServed());
    }

    LiveReader roaming() {
        return roaming;
    }

    /** All readers by name. */
    Map<String, LiveReader> all() {
        return all;
    }
}
