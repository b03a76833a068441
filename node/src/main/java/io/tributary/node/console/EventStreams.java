package io.tributary.node.console;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.tributary.common.pipeline.ByteBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The browsers that receive server-sent events. There is a maximum number of them. Each has at most one event in memory: while it has not received
 * it, later events are left out for it. The server closes a connection that does not read, by its timeout for writing. On one event loop.
 */
public final class EventStreams {
    private static final int SEND_BUFFER = 64 << 10;

    private final int most;
    private final ByteBudget budget;
    private final List<Stream> streams = new ArrayList<>();
    private long leftOut;

    /** A browser. */
    private static final class Stream {
        private final ChannelHandlerContext connection;
        private final Audience audience;
        private boolean isWaiting;

        Stream(ChannelHandlerContext connection, Audience audience) {
            this.connection = connection;
            this.audience = audience;
        }
    }

    /**
     * @param most streams at the same time
     * @param budget of bytes of all answers of the server
     */
    public EventStreams(int most, ByteBudget budget) {
        this.most = most;
        this.budget = budget;
    }

    /** Whether one more stream can begin. */
    public boolean hasRoom() {
        return streams.size() < most;
    }

    /** The number of streams. */
    public int size() {
        return streams.size();
    }

    /** The number of events that were left out because a browser had not received the event before. */
    public long leftOut() {
        return leftOut;
    }

    /** Whether one of the streams is of this audience. */
    public boolean has(Audience audience) {
        return streams.stream().anyMatch(stream -> stream.audience == audience);
    }

    /**
     * Begins a stream as the answer to a request, and sends its first event. It ends when the browser closes the connection.
     *
     * @param headers sets further headers of the answer
     * @param first the text of the first event, as in {@link #event}
     */
    public void begin(
            ChannelHandlerContext connection, Audience audience, Consumer<HttpResponse> headers, String first) {
        connection.channel().config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        headers.accept(response);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        var unused = connection.write(response); // the result of the first event covers this one
        Stream stream = new Stream(connection, audience);
        streams.add(stream);
        connection.channel().closeFuture().addListener(closed -> streams.remove(stream));
        send(stream, first);
        connection.channel().config().setAutoRead(true); // so that the end of the connection is noticed
    }

    /** The text of an event. */
    public static String event(String name, String json) {
        return "event: " + name + "\ndata: " + json.strip() + "\n\n";
    }

    /** Sends an event to all streams, except those that have not received their previous event. */
    public void send(Function<Audience, String> event) {
        for (Stream stream : List.copyOf(streams)) {
            if (stream.isWaiting) {
                leftOut++;
            } else {
                send(stream, event.apply(stream.audience));
            }
        }
    }

    private void send(Stream stream, String event) {
        byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
        if (!budget.take(bytes.length)) {
            leftOut++;
            stream.connection.flush();
            return;
        }
        stream.isWaiting = true;
        stream.connection
                .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
                .addListener(written -> {
                    budget.release(bytes.length);
                    stream.isWaiting = false;
                    if (!written.isSuccess()) {
                        var unused = stream.connection.close(); // nothing waits for it
                    }
                });
    }
}
