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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** The process of the loopback source: prints a line {@code NAME PORT} for each shard, and serves until its input ends. */
public final class LoopbackSource {
    private LoopbackSource() {}

    /** @param arguments number of shards, MiB of each, laps */
    public static void main(String[] arguments) throws IOException {
        int shards = Integer.parseInt(arguments[0]);
        int mib = Integer.parseInt(arguments[1]);
        int laps = Integer.parseInt(arguments[2]);
        // one thread for all shards: a node on two cores could not use more than it can send
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("source", true), NioIoHandler.newFactory());
        for (CannedBinlog canned : CannedBinlogs.of(shards, mib)) {
            MysqlServer server = serve(canned, laps, group);
            System.out.println(canned.shard() + " " + server.address().getPort());
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {} // the process that started this one closes its end
        System.exit(0);
    }

    /** Serves a binlog as a shard, at a free port. */
    static MysqlServer serve(CannedBinlog canned, int laps, EventLoopGroup ofOneLoop) {
        LoopbackShard shard = new LoopbackShard(new ReplayLog(canned, laps), ofOneLoop.next());
        return MysqlServer.start(ofOneLoop, settings(canned), shard);
    }

    private static ServerSettings settings(CannedBinlog canned) {
        MysqlUser user = MysqlUser.tributary();
        Account account = Account.withPassword(user.name(), AuthMethod.CACHING_SHA2_PASSWORD, user.password());
        return ServerSettings.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                canned.serverVersion(),
                name -> name.equals(user.name()) ? Optional.of(account) : Optional.empty());
    }
}
