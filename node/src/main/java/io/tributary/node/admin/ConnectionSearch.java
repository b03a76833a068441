package io.tributary.node.admin;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** A search in the binlog for one request. It ends when the connection of the request is closed. */
final class ConnectionSearch {
    private ConnectionSearch() {}

    /**
     * The answer to the request.
     *
     * @param search is cancelled if the connection is closed before it is done, and fails after the time
     * @param page makes the answer of its result or failure, on the connection's thread
     */
    static <T> CompletableFuture<PageAnswer> of(
            ChannelHandlerContext connection,
            CompletableFuture<T> search,
            long seconds,
            BiFunction<T, Throwable, PageAnswer> page) {
        ChannelFutureListener ended = closed -> search.cancel(false);
        connection.channel().closeFuture().addListener(ended);
        connection.channel().config().setAutoRead(true); // the end of a connection is seen only while it is read
        return search.orTimeout(seconds, TimeUnit.SECONDS)
                .handleAsync(
                        (result, failure) -> {
                            connection.channel().closeFuture().removeListener(ended);
                            return page.apply(result, failure);
                        },
                        connection.executor());
    }
}
