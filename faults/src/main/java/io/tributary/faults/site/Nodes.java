package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.proxy.TcpProxy;
import java.util.List;
import java.util.Optional;

/** The shards and nodes of a topology. The roles of the nodes may change. */
interface Nodes extends AutoCloseable {
    LocalCluster cluster();

    /** All nodes, in the order in which they are started. */
    List<NodeProcess> all();

    /** All nodes with binlog files, whether they run or not. */
    List<NodeProcess> dumpers();

    /** The nodes that have this role now; empty if the topology has no such role. */
    List<NodeProcess> of(Role role);

    /** The node that writes and serves the binlog. Waits for it if it is elected. */
    NodeProcess leader();

    /** The proxy on a link whose ends depend on the current roles; empty for other links. */
    default Optional<TcpProxy> link(Link link) {
        return Optional.empty();
    }

    /** The packets of such a link if each node has its own machine; else empty. */
    default Optional<PacketLink> packets(Link link) {
        return Optional.empty();
    }

    /** The private machine of a node; empty if there is none. */
    default Optional<PrivateMachine> machine(NodeProcess node) {
        return Optional.empty();
    }

    /** The ZooKeeper server; empty if the addresses of the nodes are configured. */
    default Optional<ZooKeeperProcess> zookeeper() {
        return Optional.empty();
    }

    /** Starts all nodes and does not wait. */
    default void launch() {
        all().forEach(NodeProcess::launch);
    }

    /** Ends all processes. */
    @Override
    default void close() {
        cluster().close();
    }
}
