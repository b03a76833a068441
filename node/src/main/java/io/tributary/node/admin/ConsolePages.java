package io.tributary.node.admin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tributary.node.console.Audience;
import io.tributary.node.console.CertificateState;
import io.tributary.node.console.ConsoleFiles;
import io.tributary.node.text.JsonText;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The pages under /console: static files, which everyone may read, and documents about the node. Without a login, viewers get a summary, if {@code
 * admin.console.viewers} allows it. All are GET: the console changes nothing by a request that a web page could make a browser send.
 */
final class ConsolePages {
    static final String PATH = "/console/";

    private static final String STATE = PATH + "state";
    private static final String EVENTS = PATH + "events";
    private static final String SHARDS = PATH + "shards";
    private static final String BINLOG = PATH + "binlog";
    private static final String ROWS = PATH + "rows";
    private static final int MOST_EVENTS = 10_000;
    private static final int MOST_SHOWN = 200;
    private static final int MOST_TEXT = 300;
    private static final String LEFT_OUT = "Ignorable";
    private static final long TIMEOUT_SECONDS = 10;

    private final ConsoleFiles files;
    private final ConsoleFeed feed;
    private final NodeView node;
    private final RowPages rows;

    ConsolePages(ConsoleFiles files, ConsoleFeed feed, NodeView node, RowPages rows) {
        this.files = files;
        this.feed = feed;
        this.node = node;
        this.rows = rows;
    }

    static boolean isOneOfThem(String path) {
        return path.equals("/") || path.equals("/console") || path.startsWith(PATH);
    }

    /** The state of the endpoint's certificate now. */
    CertificateState certificate() {
        return feed.certificate();
    }

    /** Whether a page is only for readers with a login, if there is one. */
    static boolean needsLogin(String path) {
        return path.equals(BINLOG) || path.equals(ROWS);
    }

    /** Whether a page shows a summary to readers without a login. */
    static boolean isForViewers(String path) {
        return path.equals(STATE) || path.equals(EVENTS) || path.equals(SHARDS);
    }

    /**
     * Answers a request.
     *
     * @return never completes if the answer is a stream of events
     */
    CompletableFuture<PageAnswer> answer(
            ChannelHandlerContext connection, HttpMethod method, QueryStringDecoder target, Audience audience) {
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            return done(getOnly());
        }
        return switch (target.path()) {
            case "/", "/console" -> done(PageAnswer.movedTo(PATH));
            case STATE ->
                feed.state(parameter(target, "audience").equals("viewer") ? Audience.VIEWER : audience)
                        .thenApply(json -> new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, json));
            case EVENTS -> stream(connection, method, audience);
            case SHARDS -> done(shards(target, audience));
            case BINLOG -> binlog(connection, target);
            case ROWS -> method.equals(HttpMethod.HEAD) ? done(getOnly()) : rows.answer(connection, target);
            default -> done(file(target.path().substring(PATH.length())));
        };
    }

    private static CompletableFuture<PageAnswer> done(PageAnswer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    private static PageAnswer getOnly() {
        return new PageAnswer(HttpResponseStatus.METHOD_NOT_ALLOWED, "GET only\n");
    }

    private PageAnswer file(String name) {
        Optional<ConsoleFiles.File> found = files.find(name);
        return found.map(file -> new PageAnswer(HttpResponseStatus.OK, file.type(), file.text()))
                .orElseGet(() -> new PageAnswer(
                        HttpResponseStatus.NOT_FOUND,
                        "expected a file of the console, found none: see " + PATH + "\n"));
    }

    private CompletableFuture<PageAnswer> stream(
            ChannelHandlerContext connection, HttpMethod method, Audience audience) {
        if (method.equals(HttpMethod.HEAD)) {
            return done(getOnly());
        }
        if (!feed.streams().hasRoom()) {
            return done(new PageAnswer(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "expected at most " + feed.streams().size()
                            + " open pages of the console, found one more: close one of them\n"));
        }
        feed.begin(connection, audience);
        return new CompletableFuture<>();
    }

    private PageAnswer shards(QueryStringDecoder target, Audience audience) {
        String from = parameter(target, "from");
        if (!from.matches("[0-9]{0,6}")) {
            return new PageAnswer(
                    HttpResponseStatus.BAD_REQUEST,
                    "expected from=NUMBER and optionally name=PART, found '" + from + "'\n");
        }
        return new PageAnswer(
                HttpResponseStatus.OK,
                PageAnswer.JSON,
                feed.shards(from.isEmpty() ? 0 : Integer.parseInt(from), parameter(target, "name"), audience));
    }

    /** The events of a binlog file from a position on, optionally only those of some tables. */
    private CompletableFuture<PageAnswer> binlog(ChannelHandlerContext connection, QueryStringDecoder target) {
        try {
            return ConnectionSearch.of(connection, node.events(wanted(target)), TIMEOUT_SECONDS, ConsolePages::events);
        } catch (RuntimeException e) { // invalid parameters
            return done(new PageAnswer(HttpResponseStatus.BAD_REQUEST, e.getMessage() + "\n"));
        }
    }

    private static BinlogAdmin.EventsWanted wanted(QueryStringDecoder target) {
        String from = parameter(target, "from");
        if (!from.matches("[0-9]{0,18}")) {
            throw new IllegalArgumentException("expected from=OFFSET, found '" + from + "'");
        }
        return new BinlogAdmin.EventsWanted(
                parameter(target, "file"),
                from.isEmpty() ? 4 : Math.max(4, Long.parseLong(from)),
                0,
                OptionalLong.of(MOST_EVENTS),
                TableFilter.parse(parameter(target, "table")));
    }

    private static PageAnswer events(NodeTables.Table table, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            String why = cause.getMessage() == null
                    ? "the events could not be read within " + TIMEOUT_SECONDS + " s: search a later position"
                    : cause.getMessage();
            return new PageAnswer(HttpResponseStatus.BAD_REQUEST, why + "\n");
        }
        List<Map<String, Object>> shown = new ArrayList<>();
        String next = table.rows().size() < MOST_EVENTS
                ? null
                : table.rows().get(table.rows().size() - 1).get(4);
        for (List<String> row : table.rows()) {
            if (shown.size() == MOST_SHOWN) {
                next = row.get(1);
                break;
            }
            if (!row.get(2).equals(LEFT_OUT)) {
                shown.add(event(row));
            }
        }
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("events", shown);
        page.put("next", next);
        return new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, JsonText.of(page) + "\n");
    }

    private static Map<String, Object> event(List<String> row) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("file", row.get(0));
        event.put("offset", row.get(1));
        event.put("type", row.get(2));
        event.put("end", row.get(4));
        String text = row.get(5);
        event.put("text", text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + " ...");
        return event;
    }

    private static String parameter(QueryStringDecoder target, String name) {
        List<String> values = target.parameters().getOrDefault(name, List.of());
        return values.size() == 1 ? values.get(0) : "";
    }
}
