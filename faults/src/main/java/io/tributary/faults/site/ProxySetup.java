package io.tributary.faults.site;

import io.tributary.local.NodeConfig;
import io.tributary.local.ObjectStoreServer;
import io.tributary.testkit.network.PrivateNetwork;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.Machine;
import io.tributary.testkit.server.MysqlOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The proxies between the parts of a test cluster, and the node configuration that proxies and faults need. */
final class ProxySetup implements AutoCloseable {
    static final List<String> SHARDS = List.of("s1", "s2");

    private final Map<Link, TcpProxy> links = new EnumMap<>(Link.class);
    private final Optional<ObjectStoreServer> store;
    private final Optional<PrivateNetwork> network;
    private final Path folder;

    /**
     * @param network the private network of the nodes; empty if all processes are on loopback
     * @param folder for backups if there is no object store
     */
    ProxySetup(Optional<ObjectStoreServer> store, Optional<PrivateNetwork> network, Path folder) {
        this.store = store;
        this.network = network;
        this.folder = folder;
    }

    static List<MysqlOptions> shards() {
        return SHARDS.stream().map(MysqlOptions::named).toList();
    }

    /** The address of a proxy to this port of loopback; always the same proxy for a link. */
    String through(Link link, int port) {
        String own = network.map(PrivateNetwork::otherAddress).orElse(Machine.LOOPBACK.address());
        InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        TcpProxy proxy =
                links.computeIfAbsent(link, unused -> TcpProxy.at(new InetSocketAddress(own, 0).getAddress(), target));
        return own + ":" + proxy.port();
    }

    /** A proxy on loopback to this address, for clients in this process or on this machine. */
    TcpProxy proxy(Link link, InetSocketAddress target) {
        return links.computeIfAbsent(link, unused -> TcpProxy.at(InetAddress.getLoopbackAddress(), target));
    }

    Optional<TcpProxy> link(Link link) {
        return Optional.ofNullable(links.get(link));
    }

    /** Sets the keys that all nodes share: small files, short periods, the proxies to the first shard (on loopback only) and to the object store. */
    NodeConfig common(NodeConfig config) {
        if (network.isEmpty()) {
            InetSocketAddress first =
                    new InetSocketAddress(config.get("shard.s1.host"), Integer.parseInt(config.get("shard.s1.port")));
            config.set(
                    "shard.s1.port", Integer.toString(proxy(Link.SHARD, first).port()));
        }
        return backedUp(config.withoutTls())
                .set("extract.heartbeat", "500ms")
                .set("extract.reconnect.min", "20ms")
                .set("extract.reconnect.max", "1s")
                .set("transmit.keepalive", "1s")
                .set("transmit.credit", "1MiB")
                .set("transmit.message", "1MiB")
                .set("binlog.file.size", "512KiB")
                .set("backup.retry", "200ms");
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private NodeConfig backedUp(NodeConfig config) {
        if (store.isEmpty()) {
            return config.set("backup.directory", made(folder.resolve("backup")).toString());
        }
        return store.get()
                .backsUp(config, through(Link.STORE, store.get().port()))
                .set("backup.s3.timeout", "5s");
    }

    Optional<PrivateNetwork> network() {
        return network;
    }

    Optional<ObjectStoreServer> store() {
        return store;
    }

    @Override
    public void close() {
        links.values().forEach(TcpProxy::close);
        store.ifPresent(ObjectStoreServer::close);
    }
}
