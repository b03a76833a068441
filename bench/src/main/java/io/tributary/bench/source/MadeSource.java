package io.tributary.bench.source;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.ServerSettings;
import io.tributary.testkit.server.MysqlUser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Simulated shards s1, s2, ... in this process, whose transactions are generated while they are read. */
public final class MadeSource implements AutoCloseable {
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("source", true), NioIoHandler.newFactory());
    private final List<MadeShard> shards = new ArrayList<>();
    private final List<MysqlServer> servers = new ArrayList<>();

    private MadeSource() {}

    /** Starts one shard for each of these, at a free port of 127.0.0.1. */
    public static MadeSource start(List<? extends MadeTransactions> transactions) {
        MadeSource source = new MadeSource();
        transactions.forEach(source::add);
        return source;
    }

    private void add(MadeTransactions made) {
        int index = shards.size() + 1;
        UUID uuid = UUID.nameUUIDFromBytes(("made shard " + index).getBytes(StandardCharsets.UTF_8));
        MadeShard shard = new MadeShard(100 + index, uuid, made, group.next());
        shards.add(shard);
        servers.add(MysqlServer.start(group, settings(), shard));
    }

    private static ServerSettings settings() {
        MysqlUser user = MysqlUser.tributary();
        Account account = Account.withPassword(user.name(), AuthMethod.CACHING_SHA2_PASSWORD, user.password());
        return ServerSettings.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "8.0.31",
                name -> name.equals(user.name()) ? Optional.of(account) : Optional.empty());
    }

    public int size() {
        return shards.size();
    }

    /** The port of a shard; the first one is 0. */
    public int port(int shard) {
        return servers.get(shard).address().getPort();
    }

    /** The bytes of rows and table maps that a shard has sent. */
    public long sentBytes(int shard) {
        return shards.get(shard).sentBytes();
    }

    /** The GTID number of a shard's last transaction; 0 until it was sent. */
    public long lastNumber(int shard) {
        return shards.get(shard).lastNumber();
    }

    @Override
    public void close() {
        servers.forEach(MysqlServer::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
