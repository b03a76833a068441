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
import io.tributary.common.metric.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one connection's requests to the admin endpoint. */
final class AdminPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPages.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Metrics metrics;
    private final Supplier<NodeStatus> status;

    AdminPages(Metrics metrics, Supplier<NodeStatus> status) {
        this.metrics = metrics;
        this.status = status;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext connection, FullHttpRequest request) {
        FullHttpResponse response = answer(request);
        response.headers()
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = connection.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse answer(FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            return response(HttpResponseStatus.BAD_REQUEST, TEXT, "not an HTTP request\n");
        }
        if (!request.method().equals(HttpMethod.GET)) {
            return response(HttpResponseStatus.METHOD_NOT_ALLOWED, TEXT, "GET only\n");
        }
        QueryStringDecoder target = new QueryStringDecoder(request.uri());
        return switch (target.path()) {
            case "/metrics" ->
                response(HttpResponseStatus.OK, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape());
            case "/status" -> {
                StatusPage page = new StatusPage(status.get(), metrics.samples());
                yield target.parameters().getOrDefault("as", List.of()).contains("text")
                        ? response(HttpResponseStatus.OK, TEXT, page.text())
                        : response(HttpResponseStatus.OK, "application/json", page.json());
            }
            case "/health" -> {
                NodeStatus now = status.get();
                yield response(
                        now.isHealthy() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                        TEXT,
                        now.state() + "\n");
            }
            default ->
                response(HttpResponseStatus.NOT_FOUND, TEXT, "pages: /metrics /status /status?as=text /health\n");
        };
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
