package io.tributary.mysql.protocol.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The event loop serves its connections while a name server does not answer. */
@Timeout(60)
class HostLookupsTest {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventExecutorGroup lookups = new DefaultEventExecutorGroup(1);

    @AfterEach
    void end() throws Exception {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        lookups.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private CompletableFuture<MysqlConnection> connect(String host, int port) {
        return new MysqlClient(loop, lookups).connect(Endpoint.of(host, port, "user", "password"));
    }

    @Test
    void aNameIsLookedUpOnAnotherThread() throws Exception {
        CountDownLatch nameServer = new CountDownLatch(1);
        lookups.execute(() -> {
            try {
                nameServer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            CompletableFuture<MysqlConnection> byName = connect("localhost", server.getLocalPort());
            assertEquals(7, loop.submit(() -> 7).get(20, TimeUnit.SECONDS), "the event loop is free");
            assertFalse(byName.isDone());
            nameServer.countDown();
            try (Socket accepted = server.accept()) {
                assertTrue(accepted.isConnected());
            }
        }
    }

    @Test
    void anAddressIsNotLookedUp() throws Exception {
        lookups.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var unused = connect("127.0.0.1", server.getLocalPort());
            try (Socket accepted = server.accept()) {
                assertTrue(accepted.isConnected());
            }
        }
    }

    @Test
    void anUnknownNameIsAnError() {
        ExecutionException failed = assertThrows(
                ExecutionException.class,
                () -> connect("no-such-host.invalid", 3306).get(30, TimeUnit.SECONDS));
        assertEquals(ErrorCode.SHARD_UNREACHABLE, ((TributaryException) failed.getCause()).code());
    }
}
