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

/** The readers of a site: one that roams over all Dumpers by way of a proxy, and one that stays at each of several. */
final class ServedReaders {
    private final Nodes nodes;
    private final Map<String, LiveReader> all = new LinkedHashMap<>();
    private LiveReader roaming;

    ServedReaders(Nodes nodes) {
        this.nodes = nodes;
    }

    /** @param serve leads to the leader; from here on to all Dumpers */
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

    /** Where a Dumper has its readers. */
    static InetSocketAddress served(NodeProcess node) {
        return HostPort.parse(node.config().get("serve.listen")).resolve();
    }

    private List<InetSocketAddress> allServed() {
        return nodes.dumpers().stream().map(ServedReaders::served).toList();
    }

    /** Has the one that roams read from the leader now, as well as it may read elsewhere later. */
    void readFromTheLeader(TcpProxy serve) {
        if (nodes.dumpers().size() == 1) {
            return;
        }
        int before = roaming.connections();
        serve.retarget(List.of(served(nodes.leader()))).cut();
        Await.until("the reader to come to the leader", Site.LIMIT, () -> roaming.connections() > before);
        serve.retarget(allServed());
    }

    LiveReader roaming() {
        return roaming;
    }

    /** By name. */
    Map<String, LiveReader> all() {
        return all;
    }
}
