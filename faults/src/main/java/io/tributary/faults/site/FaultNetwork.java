package io.tributary.faults.site;

import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Defines where the processes of a cluster run and how they connect to each other. */
interface FaultNetwork extends AutoCloseable {
    List<MysqlOptions> shards();

    /** The ZooKeeper server, not started yet. */
    ZooKeeperProcess zookeeper(Path folder, int tickMillis);

    /**
     * Sets the addresses in a node's configuration: those on which it listens, those that the other nodes use, and ZooKeeper's.
     *
     * @param listen the key of the address that the other nodes use
     */
    NodeConfig addressed(NodeConfig config, String name, String listen, ZooKeeperProcess zookeeper);

    /** Registers a node that was created with such a configuration. */
    void place(NodeProcess node, String listen);

    /** The proxy on a link between the nodes that have the roles of its ends; empty if there is none. */
    default Optional<TcpProxy> proxy(Link link, Nodes nodes) {
        return Optional.empty();
    }

    /** The packets of such a link; empty on loopback. */
    default Optional<PacketLink> packets(Link link, Nodes nodes) {
        return Optional.empty();
    }

    /** The private machine of a node; empty if all nodes share one machine. */
    default Optional<PrivateMachine> machine(NodeProcess node) {
        return Optional.empty();
    }

    /** Closes the remaining resources after the processes have ended. */
    @Override
    void close();
}
