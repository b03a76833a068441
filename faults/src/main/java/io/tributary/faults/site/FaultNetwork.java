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

/** Where the processes of a cluster run and how they reach each other. */
interface Ground extends AutoCloseable {
    List<MysqlOptions> shards();

    /** Not started yet. */
    ZooKeeperProcess zookeeper(Path folder, int tickMillis);

    /**
     * The addresses of a node: its own ones, those at which the others know it, and ZooKeeper's.
     *
     * @param listen the key of the address at which the other nodes reach it
     */
    NodeConfig addressed(NodeConfig config, String name, String listen, ZooKeeperProcess zookeeper);

    /** A node of that configuration is made. */
    void place(NodeProcess node, String listen);

    /** The proxy on a link to or from these that have the roles of its ends; empty where none stands there. */
    default Optional<TcpProxy> proxy(Link link, Nodes nodes) {
        return Optional.empty();
    }

    /** The same as packets of a network. */
    default Optional<PacketLink> packets(Link link, Nodes nodes) {
        return Optional.empty();
    }

    /** Where a node runs; empty where that is the machine of all. */
    default Optional<PrivateMachine> machine(NodeProcess node) {
        return Optional.empty();
    }

    /** Closes what is left when the processes have ended. */
    @Override
    void close();
}
