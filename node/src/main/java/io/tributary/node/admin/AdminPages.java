package io.tributary.node.admin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpChunkedInput;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.stream.ChunkedStream;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.node.console.Audience;
import io.tributary.node.status.NodeHealth;
import io.tributary.serve.statement.NodeTables;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of one connection to the admin endpoint. It answers requests one after another: it reads the next one after the answer to the
 * previous one was written. It runs on the event loop.
 */
final class AdminPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPages.class);
    private static final String HEALTH = "/health";
    private static final int REFUSAL_MILLIS = 1000;

    /** The maximum number of requests that a client may send before it reads the answers to earlier ones. */
    private static final int MOST_AHEAD = 32;

    private static final long TIMEOUT_SECONDS = 5;
    private static final int CHUNK = 32 << 10;

    private final AdminLimits limits;
    private final Metrics metrics;
    private final NodeView node;
    private final ShardPages shards;
    private final ReloadPage reload;
    private final ConsolePages console;
    private final DiagnosticPages diagnostics;
    private final Deque<FullHttpRequest> ahead = new ArrayDeque<>();
    private ScheduledFuture<?> expiry;
    private boolean isBusy;

    AdminPages(AdminLimits limits, Metrics metrics, NodeView node, ConfigReload reloading, ConsolePages console) {
        this.limits = limits;
        this.metrics = metrics;
        this.node = node;
        this.shards = new ShardPages(node.shardRequests());
        this.reload = new ReloadPage(reloading);
        this.console = console;
        this.diagnostics = new DiagnosticPages(limits.access(), reloading);
    }

    @Override
    public void channelActive(ChannelHandlerContext connection) {
        await(connection);
        connection.fireChannelActive();
    }

    /** Waits for the next request; a connection that sends none before the timeout is closed. */
    private void await(ChannelHandlerContext connection) {
        isBusy = false;
        expiry = connection
                .executor()
                .schedule(
                        () -> {
                            LOG.debug(
                                    "admin connection closed: from={} reason=\"no complete request before the timeout\"",
                                    connection.channel().remoteAddress());
                            close(connection);
                        },
                        limits.timeout().toMillis(),
                        TimeUnit.MILLISECONDS);
        connection.channel().config().setAutoRead(true);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext connection, FullHttpRequest request) {
        if (!isBusy) {
            begin(connection, request);
        } else if (ahead.size() < MOST_AHEAD) {
            ahead.add(request.retain());
        } else {
            LOG.debug(
                    "admin connection closed: from={} reason=\"more requests than answers it reads\"",
                    connection.channel().remoteAddress());
            close(connection);
        }
    }

    /**
     * Answers a request. Until the answer is written, nothing more is read from the connection; requests that were already received wait in {@code
     * ahead}.
     */
    private void begin(ChannelHandlerContext connection, FullHttpRequest request) {
        isBusy = true;
        connection.channel().config().setAutoRead(false);
        expiry.cancel(false);
        boolean keepAlive =
                HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        var unused = answer(connection, request)
                .whenCompleteAsync(
                        (answer, failure) ->
                                send(connection, keepAlive, isHead, failure == null ? answer : failed(failure)),
                        connection.executor());
    }

    private void next(ChannelHandlerContext connection) {
        FullHttpRequest request = ahead.poll();
        if (request == null) {
            await(connection);
            return;
        }
        try {
            begin(connection, request);
        } finally {
            request.release();
        }
    }

    private CompletableFuture<PageAnswer> answer(ChannelHandlerContext connection, FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            return done(HttpResponseStatus.BAD_REQUEST, "not an HTTP request\n");
        }
        String host = request.headers().get(HttpHeaderNames.HOST);
        if (!limits.hosts().accepts(host)) {
            return done(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "expected an IP address, localhost or a name of admin.hosts in the Host header, found '" + host
                            + "'\n");
        }
        try {
            QueryStringDecoder target = new QueryStringDecoder(request.uri());
            target.parameters(); // throws if they are not well-formed
            String login = request.headers().get(HttpHeaderNames.AUTHORIZATION);
            boolean isAdmitted = limits.access().admits(login);
            if (!isAdmitted && !isOpen(target.path(), login)) {
                return refusedLogin(connection, request);
            }
            return ConsolePages.isOneOfThem(target.path())
                    ? console.answer(
                            connection, request.method(), target, isAdmitted ? Audience.OPERATOR : Audience.VIEWER)
                    : page(connection, request, target);
        } catch (IllegalArgumentException e) {
            return done(
                    HttpResponseStatus.BAD_REQUEST,
                    "expected a path and a query with valid escapes such as %20, found invalid ones: " + e.getMessage()
                            + "\n");
        }
    }

    /** Whether a page can be read without a login. A wrong login is always refused, so that its sender learns of it. */
    private boolean isOpen(String path, String login) {
        if (path.equals(HEALTH) || HealthPages.isOneOfThem(path)) {
            return true;
        }
        if (!ConsolePages.isOneOfThem(path) || ConsolePages.needsLogin(path)) {
            return false;
        }
        return !ConsolePages.isForViewers(path)
                || login == null && limits.access().console().viewers();
    }

    /** Refuses a login. The answer to a wrong password is delayed, so that passwords cannot be guessed quickly. */
    private static CompletableFuture<PageAnswer> refusedLogin(
            ChannelHandlerContext connection, FullHttpRequest request) {
        PageAnswer refusal = new PageAnswer(
                HttpResponseStatus.UNAUTHORIZED, "expected user and password of admin.user and admin.password\n");
        if (!request.headers().contains(HttpHeaderNames.AUTHORIZATION)) {
            return CompletableFuture.completedFuture(refusal);
        }
        LOG.warn("admin login refused: from={}", sender(connection));
        CompletableFuture<PageAnswer> later = new CompletableFuture<>();
        var unused =
                connection.executor().schedule(() -> later.complete(refusal), REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
        return later;
    }

    private CompletableFuture<PageAnswer> page(
            ChannelHandlerContext connection, FullHttpRequest request, QueryStringDecoder target) {
        HttpMethod method = request.method().equals(HttpMethod.HEAD) ? HttpMethod.GET : request.method();
        if (DdlPages.isOneOfThem(target.path())) {
            return new DdlPages(node.schemaChanges(), connection.executor())
                    .answer(method, target, sender(connection), hasHeader(request));
        }
        if (target.path().equals(ReloadPage.PATH)) {
            boolean isJson = target.parameters().getOrDefault("as", List.of()).contains("json");
            return CompletableFuture.completedFuture(
                    reload.answer(method, sender(connection), hasHeader(request), isJson));
        }
        if (ShardPages.isOneOfThem(target.path())) {
            return CompletableFuture.completedFuture(
                    shards.answer(method, target, sender(connection), hasHeader(request)));
        }
        if (!method.equals(HttpMethod.GET)) {
            return done(HttpResponseStatus.METHOD_NOT_ALLOWED, "GET only\n");
        }
        if (DiagnosticPages.isOneOfThem(target.path())) {
            return CompletableFuture.completedFuture(diagnostics.answer(target.path(), sender(connection)));
        }
        return switch (target.path()) {
            case "/xa" ->
                node.transactions()
                        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .handleAsync((snapshot, failure) -> xa(target, snapshot, failure), connection.executor());
            case "/find" ->
                ConnectionSearch.of(
                        connection, find(target), TIMEOUT_SECONDS, (table, failure) -> found(target, table, failure));
            default -> CompletableFuture.completedFuture(simplePage(target));
        };
    }

    private static CompletableFuture<PageAnswer> done(HttpResponseStatus status, String text) {
        return CompletableFuture.completedFuture(new PageAnswer(status, text));
    }

    private static PageAnswer failed(Throwable failure) {
        LOG.warn("admin page failed:", failure);
        return new PageAnswer(
                HttpResponseStatus.INTERNAL_SERVER_ERROR, "the page could not be created; see the node's log\n");
    }

    private static InetAddress sender(ChannelHandlerContext connection) {
        return ((InetSocketAddress) connection.channel().remoteAddress()).getAddress();
    }

    private static boolean hasHeader(FullHttpRequest request) {
        return request.headers().contains(ShardPages.HEADER);
    }

    private static PageAnswer xa(QueryStringDecoder target, OrderSnapshot snapshot, Throwable failure) {
        if (failure != null) {
            String why = failure instanceof TimeoutException
                    ? "the ordering thread did not answer within " + TIMEOUT_SECONDS + " s"
                    : (failure instanceof CompletionException ? failure.getCause() : failure).getMessage();
            return new PageAnswer(HttpResponseStatus.SERVICE_UNAVAILABLE, why + "\n");
        }
        XaPage page = new XaPage(snapshot);
        return isText(target)
                ? new PageAnswer(HttpResponseStatus.OK, page.text())
                : new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, page.json());
    }

    private CompletableFuture<NodeTables.Table> find(QueryStringDecoder target) {
        try {
            return node.find(FindPage.goal(target));
        } catch (RuntimeException e) { // invalid parameters
            return CompletableFuture.failedFuture(e);
        }
    }

    private static PageAnswer found(QueryStringDecoder target, NodeTables.Table table, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            String why = cause instanceof TimeoutException
                    ? "the position was not found within " + TIMEOUT_SECONDS + " s"
                    : cause.getMessage();
            return new PageAnswer(HttpResponseStatus.BAD_REQUEST, why + "\n");
        }
        return isText(target)
                ? new PageAnswer(HttpResponseStatus.OK, FindPage.text(table))
                : new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, FindPage.json(table));
    }

    private static boolean isText(QueryStringDecoder target) {
        return target.parameters().getOrDefault("as", List.of()).contains("text");
    }

    private void send(ChannelHandlerContext connection, boolean keepAlive, boolean isHead, PageAnswer complete) {
        byte[] bytes = complete.text().getBytes(StandardCharsets.UTF_8);
        boolean hasRoom = limits.budget().take(bytes.length);
        PageAnswer answer = hasRoom
                ? complete
                : new PageAnswer(
                        HttpResponseStatus.SERVICE_UNAVAILABLE, "too many answers are being sent; try again\n");
        byte[] body = hasRoom ? bytes : answer.text().getBytes(StandardCharsets.UTF_8);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, answer.status());
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        PageHeaders.set(response);
        if (!answer.location().isEmpty()) {
            response.headers().set(HttpHeaderNames.LOCATION, answer.location());
        }
        if (answer.status().equals(HttpResponseStatus.UNAUTHORIZED)) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"tributary\", charset=\"UTF-8\"");
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        var unused = connection.write(response); // the result of the last part covers this one
        connection
                .writeAndFlush(
                        isHead
                                ? LastHttpContent.EMPTY_LAST_CONTENT
                                : new HttpChunkedInput(new ChunkedStream(new ByteArrayInputStream(body), CHUNK)))
                .addListener(written -> {
                    if (hasRoom) {
                        limits.budget().release(bytes.length);
                    }
                    if (keepAlive && written.isSuccess()) {
                        next(connection);
                    } else {
                        close(connection);
                    }
                });
    }

    private PageAnswer simplePage(QueryStringDecoder target) {
        if (HealthPages.isOneOfThem(target.path())) {
            NodeHealth health = NodeHealth.of(node.status(), metrics.byTag(Metric.SHARD_LAG, "shard"));
            return HealthPages.answer(
                    target.path(),
                    console.certificate().hasExpired() ? health.warned(HealthPages.EXPIRED) : health,
                    target.parameters().containsKey("strict"));
        }
        return switch (target.path()) {
            case "/metrics" ->
                new PageAnswer(HttpResponseStatus.OK, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape());
            case "/status" -> {
                StatusPage page = new StatusPage(node.status(), metrics.samples());
                yield isText(target)
                        ? new PageAnswer(HttpResponseStatus.OK, page.text())
                        : new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, page.json());
            }
            case VerifyPage.PATH -> VerifyPage.of(node.status());
            case HEALTH -> HealthPages.line(node.status(), console.certificate());
            default ->
                new PageAnswer(
                        HttpResponseStatus.NOT_FOUND,
                        "pages: /console/ /metrics /status /xa /ddl /find /verify /health /health/live /health/ready /shards /config /threads /log; /status?as=text /xa?as=text /ddl?as=text\n");
        };
    }

    @Override
    public void channelInactive(ChannelHandlerContext connection) {
        ahead.forEach(FullHttpRequest::release);
        ahead.clear();
        if (expiry != null) {
            expiry.cancel(false);
        }
        connection.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext connection, Throwable cause) {
        LOG.debug("admin connection failed:", cause);
        close(connection);
    }

    private static void close(ChannelHandlerContext connection) {
        var unused = connection.close(); // nothing waits for it
    }
}
