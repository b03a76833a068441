package io.tributary.mysql.protocol;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.UserStore;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server and a client of Tributary on one event loop group, for tests. */
public final class Loopback implements AutoCloseable {
    public static final String VERSION = "8.0.31-tributary";
    public static final Duration DEADLINE = Duration.ofSeconds(20);

    /** The usual limits, and no delay for hosts that are refused often. */
    public static final ServerSettings.Limits LIMITS =
            ServerSettings.Limits.USUAL.with(ServerSettings.Logins.USUAL.withRefusalDelay(Duration.ZERO));

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final MysqlServer server;
    private final MysqlClient client = new MysqlClient(group);

    public Loopback(ServerSettings settings, CommandHandler handler) {
        server = MysqlServer.start(group, settings, handler);
    }

    public static Loopback with(CommandHandler handler, Account... accounts) {
        return new Loopback(settings(accounts), handler);
    }

    public static ServerSettings settings(Account... accounts) {
        return ServerSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), VERSION, users(accounts))
                .with(LIMITS);
    }

    public static UserStore users(Account... accounts) {
        Map<String, Account> byName = new java.util.HashMap<>();
        for (Account account : accounts) {
            byName.put(account.user(), account);
        }
        return name -> Optional.ofNullable(byName.get(name));
    }

    public MysqlServer server() {
        return server;
    }

    public EventLoopGroup group() {
        return group;
    }

    public Endpoint endpoint(String user, String password) {
        return Endpoint.of("127.0.0.1", server.address().getPort(), user, password)
                .with(TlsMode.DISABLED);
    }

    public MysqlConnection connect(String user, String password) {
        return connect(endpoint(user, password));
    }

    public MysqlConnection connect(Endpoint endpoint) {
        return Answers.of(client.connect(endpoint));
    }

    @Override
    public void close() {
        server.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
