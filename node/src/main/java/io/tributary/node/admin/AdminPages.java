package io.tributary.node.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.metric.Metrics;
import io.tributary.dumper.serve.NodeTables;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one connection's requests to the admin endpoint. */
final class AdminPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPages.class);
    private static final long PATIENCE_SECONDS = 5;

    private final Metrics metrics;
    private final NodeView node;
    private final ShardPages shards;
    private final ReloadPage reload;

    AdminPages(Metrics metrics, NodeView node, Reloading reloading) {
        this.metrics = metrics;
        this.node = node;
        this.shards = new ShardPages(node.shardRequests());
        this.reload = new ReloadPage(reloading);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext connection, FullHttpRequest request) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        QueryStringDecoder target = new QueryStringDecoder(request.uri());
        if (isGet(request) && target.path().equals("/xa")) {
            var unused = node.transactions()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .whenCompleteAsync(
                            (snapshot, failure) -> send(connection, keepAlive, xa(target, snapshot, failure)),
                            connection.executor());
        } else if (isGet(request) && target.path().equals("/find")) {
            var unused = find(target)
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .whenCompleteAsync(
                            (table, failure) -> send(connection, keepAlive, found(target, table, failure)),
                            connection.executor());
        } else if (request.decoderResult().isSuccess() && DdlPages.isOneOfThem(target.path())) {
            var unused = new DdlPages(node.schemaChanges(), connection.executor())
                    .answer(request.method(), target, sender(connection), hasHeader(request))
                    .thenAcceptAsync(answer -> send(connection, keepAlive, response(answer)), connection.executor());
        } else if (request.decoderResult().isSuccess() && isChange(target.path())) {
            Answer answer = target.path().equals(ReloadPage.PATH)
                    ? reload.answer(request.method(), sender(connection), hasHeader(request))
                    : shards.answer(request.method(), target, sender(connection), hasHeader(request));
            send(connection, keepAlive, response(answer));
        } else {
            send(connection, keepAlive, answer(request, target));
        }
    }

    private static InetAddress sender(ChannelHandlerContext connection) {
        return ((InetSocketAddress) connection.channel().remoteAddress()).getAddress();
    }

    private static boolean hasHeader(FullHttpRequest request) {
        return request.headers().contains(ShardPages.HEADER);
    }

    private static boolean isChange(String path) {
        return path.equals(ReloadPage.PATH) || ShardPages.isOneOfThem(path);
    }

    private static boolean isGet(FullHttpRequest request) {
        return request.decoderResult().isSuccess() && request.method().equals(HttpMethod.GET);
    }

    private static FullHttpResponse xa(QueryStringDecoder target, OrderSnapshot snapshot, Throwable failure) {
        if (failure != null) {
            String why = failure instanceof TimeoutException
                    ? "the thread that orders did not answer in " + PATIENCE_SECONDS + " s"
                    : (failure instanceof CompletionException ? failure.getCause() : failure).getMessage();
            return response(HttpResponseStatus.SERVICE_UNAVAILABLE, Answer.TEXT, why + "\n");
        }
        XaPage page = new XaPage(snapshot);
        return isText(target)
                ? response(HttpResponseStatus.OK, Answer.TEXT, page.text())
                : response(HttpResponseStatus.OK, Answer.JSON, page.json());
    }

    private CompletableFuture<NodeTables.Table> find(QueryStringDecoder target) {
        try {
            return node.find(FindPage.goal(target));
        } catch (RuntimeException e) { // what is asked for is not understood
            return CompletableFuture.failedFuture(e);
        }
    }

    private static FullHttpResponse found(QueryStringDecoder target, NodeTables.Table table, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return response(HttpResponseStatus.BAD_REQUEST, Answer.TEXT, cause.getMessage() + "\n");
        }
        return isText(target)
                ? response(HttpResponseStatus.OK, Answer.TEXT, FindPage.text(table))
                : response(HttpResponseStatus.OK, Answer.JSON, FindPage.json(table));
    }

    private static boolean isText(QueryStringDecoder target) {
        return target.parameters().getOrDefault("as", List.of()).contains("text");
    }

    private static void send(ChannelHandlerContext connection, boolean keepAlive, FullHttpResponse response) {
        response.headers()
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = connection.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse answer(FullHttpRequest request, QueryStringDecoder target) {
        if (!request.decoderResult().isSuccess()) {
            return response(HttpResponseStatus.BAD_REQUEST, Answer.TEXT, "not an HTTP request\n");
        }
        if (!request.method().equals(HttpMethod.GET)) {
            return response(HttpResponseStatus.METHOD_NOT_ALLOWED, Answer.TEXT, "GET only\n");
        }
        return switch (target.path()) {
            case "/metrics" ->
                response(HttpResponseStatus.OK, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape());
            case "/status" -> {
                StatusPage page = new StatusPage(node.status(), metrics.samples());
                yield isText(target)
                        ? response(HttpResponseStatus.OK, Answer.TEXT, page.text())
                        : response(HttpResponseStatus.OK, Answer.JSON, page.json());
            }
            case "/health" -> {
                NodeStatus now = node.status();
                yield response(
                        now.isHealthy() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                        Answer.TEXT,
                        now.state() + "\n");
            }
            default ->
                response(
                        HttpResponseStatus.NOT_FOUND,
                        Answer.TEXT,
                        "pages: /metrics /status /xa /ddl /find /health /shards; /status?as=text /xa?as=text /ddl?as=text\n");
        };
    }

    private static FullHttpResponse response(Answer answer) {
        return response(answer.status(), answer.type(), answer.text());
    }

    private static FullHttpResponse response(HttpResponseStatus status, String type, String body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext connection, Throwable cause) {
        LOG.debug("admin: a connection failed", cause);
        var unused = connection.close(); // nobody waits for it
    }
}
