package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Answers;
import io.tributary.mysql.protocol.EchoHandler;
import io.tributary.mysql.protocol.Loopback;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.TlsMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServerListenerTest {
    private static final Account USER = Account.withPassword("u", AuthMethod.CACHING_SHA2_PASSWORD, "p");

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private MysqlConnection connect(int port) {
        Endpoint endpoint = Endpoint.of("127.0.0.1", port, "u", "p").with(TlsMode.DISABLED);
        return Answers.of(new MysqlClient(group).connect(endpoint));
    }

    @Test
    void aClientBeforeTheServerReceivesTheReasonAndConnectsLater() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ServerListener listener = ServerListener.open(group, any, "the binlog is not recovered yet");
        int port = listener.address().getPort();
        for (int twice = 0; twice < 2; twice++) {
            MysqlServerError error = assertThrows(MysqlServerError.class, () -> connect(port));
            assertEquals(1053, error.errorCode());
            assertEquals("the binlog is not recovered yet", error.serverMessage());
        }
        assertThrows(TributaryException.class, () -> ServerListener.open(group, listener.address(), "taken"));
        try (MysqlServer server = MysqlServer.start(listener, Loopback.settings(USER), new EchoHandler());
                MysqlConnection connection = connect(port)) {
            assertEquals(port, server.address().getPort());
            assertEquals("alive", connection.query("alive", Loopback.DEADLINE).text(0, "text"));
        }
        assertThrows(TributaryException.class, () -> connect(port), "the port is closed");
    }
}
