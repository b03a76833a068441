package io.tributary.node.admin;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.node.console.RowQuestion;
import io.tributary.node.process.StopSignal;
import io.tributary.node.text.JsonText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The search for changes of rows. A search ends after a maximum time, and when the browser closes its connection; only a few run at the same time. On
 * the event loop of the admin endpoint.
 */
final class RowPages {
    private static final int MOST_SEARCHES = 2;
    private static final long LONGEST_MILLIS = 10_000;
    private static final String NEEDED =
            "the login of admin.user, and admin.console.rows=true in the configuration of this node";

    private final NodeView node;
    private final boolean showsRows;
    private int running;

    /** @param showsRows whether those who are admitted see values of rows */
    RowPages(NodeView node, boolean showsRows) {
        this.node = node;
        this.showsRows = showsRows;
    }

    /** Answers with the changes of rows that the query selects. */
    CompletableFuture<PageAnswer> answer(ChannelHandlerContext connection, QueryStringDecoder target) {
        RowQuestion question = question(target);
        if (!question.key().isEmpty() && !showsRows) {
            return done(HttpResponseStatus.FORBIDDEN, "a search by key: expected " + NEEDED);
        }
        if (running == MOST_SEARCHES) {
            return done(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "expected at most " + MOST_SEARCHES + " searches at the same time, found one more: try again");
        }
        StopSignal stop = new StopSignal();
        ChannelFutureListener left = closed -> stop.request();
        ChannelFuture end = connection.channel().closeFuture().addListener(left);
        ScheduledFuture<?> limit = connection.executor().schedule(stop::request, LONGEST_MILLIS, TimeUnit.MILLISECONDS);
        connection.channel().config().setAutoRead(true); // so that the end of the connection is noticed
        running++;
        return node.rows()
                .find(question, showsRows, stop)
                .handleAsync(
                        (found, failure) -> {
                            running--;
                            limit.cancel(false);
                            end.removeListener(left);
                            return failure == null ? page(found) : refused(failure);
                        },
                        connection.executor());
    }

    private static CompletableFuture<PageAnswer> done(HttpResponseStatus status, String text) {
        return CompletableFuture.completedFuture(new PageAnswer(status, text + "\n"));
    }

    private static RowQuestion question(QueryStringDecoder target) {
        List<String> key = target.parameters().getOrDefault("key", List.of());
        return new RowQuestion(
                parameter(target, "table"),
                key,
                new RowQuestion.Range(
                        parameter(target, "since"),
                        parameter(target, "until"),
                        parameter(target, "gtid"),
                        parameter(target, "after")));
    }

    private static String parameter(QueryStringDecoder target, String name) {
        return String.join("", target.parameters().getOrDefault(name, List.of()))
                .strip();
    }

    private PageAnswer page(Map<String, Object> found) {
        if (!showsRows) {
            found.put("needed", NEEDED);
        }
        return new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, JsonText.of(found) + "\n");
    }

    private static PageAnswer refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return new PageAnswer(HttpResponseStatus.BAD_REQUEST, cause.getMessage() + "\n");
    }
}
