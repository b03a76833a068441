package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.DdlDecision;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The pages under /ddl, and /shards/skip. GET shows the schema changes in progress, or one of them; POST sends an operator's decision for one.
 * Decisions are accepted under the same conditions as requests of {@link ShardPages}.
 */
final class DdlPages {
    private static final String DDL = "/ddl";
    private static final String SKIP = "/shards/skip";
    private static final long TIMEOUT_SECONDS = 5;

    private final SchemaChangeAccess changes;
    private final Executor executor;

    /** @param executor creates the pages, so that the ordering thread does not */
    DdlPages(SchemaChangeAccess changes, Executor executor) {
        this.changes = changes;
        this.executor = executor;
    }

    static boolean isOneOfThem(String path) {
        return path.equals(DDL) || path.startsWith(DDL + "/") || path.equals(SKIP);
    }

    /** @param hasHeader whether the request has {@link ShardPages#HEADER} */
    CompletableFuture<PageAnswer> answer(
            HttpMethod method, QueryStringDecoder target, InetAddress from, boolean hasHeader) {
        if (method.equals(HttpMethod.GET) && target.path().equals(DDL)) {
            return list(target);
        }
        if (!method.equals(HttpMethod.POST)) {
            return done(HttpResponseStatus.METHOD_NOT_ALLOWED, "GET of /ddl, POST to /ddl/VERB or /shards/skip");
        }
        if (!ShardPages.isOwnProgram(from, hasHeader)) {
            return done(
                    HttpResponseStatus.FORBIDDEN,
                    "decisions are accepted from the node's own machine only: use the tributary command there");
        }
        try {
            return target.path().equals(SKIP) ? skip(target) : decide(target);
        } catch (IllegalArgumentException e) { // invalid parameters
            return done(HttpResponseStatus.BAD_REQUEST, e.getMessage());
        }
    }

    private CompletableFuture<PageAnswer> list(QueryStringDecoder target) {
        boolean isText = target.parameters().getOrDefault("as", List.of()).contains("text");
        String id = parameter(target, "id");
        return changes.list()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .handleAsync((items, failure) -> list(items, failure, id, isText), executor);
    }

    private static PageAnswer list(List<SchemaItem> items, Throwable failure, String id, boolean isText) {
        if (failure != null) {
            return failed(failure, "");
        }
        return id.isEmpty() ? page(items, isText) : one(items, id, isText);
    }

    private static PageAnswer one(List<SchemaItem> items, String id, boolean isText) {
        List<SchemaItem> found =
                items.stream().filter(item -> item.id().equals(id)).toList();
        return found.isEmpty() ? new PageAnswer(HttpResponseStatus.NOT_FOUND, unknown(id) + "\n") : page(found, isText);
    }

    private static PageAnswer page(List<SchemaItem> items, boolean isText) {
        DdlPage page = new DdlPage(items);
        return isText
                ? new PageAnswer(HttpResponseStatus.OK, page.text())
                : new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, page.json());
    }

    private static String unknown(String id) {
        return "expected an id that tributary ddl list shows, found " + id
                + ": it is complete or decided, or it never existed";
    }

    private CompletableFuture<PageAnswer> decide(QueryStringDecoder target) {
        DdlDecision decision = new DdlDecision(
                verb(target.path().substring(DDL.length())),
                parameter(target, "id"),
                parameter(target, "member"),
                parameter(target, "accept-loss").equals("true"),
                parameter(target, "text"));
        if (decision.id().isEmpty()) {
            throw new IllegalArgumentException("expected id=ID, as tributary ddl list shows it, found none");
        }
        if (decision.text().isEmpty() == (decision.verb() == DdlDecision.Verb.TEXT)) {
            throw new IllegalArgumentException("expected text=STATEMENT for /ddl/text, and for no other page");
        }
        return carriedOut(changes.execute(decision));
    }

    private static DdlDecision.Verb verb(String path) {
        for (DdlDecision.Verb verb : DdlDecision.Verb.values()) {
            if (path.equals("/" + verb.word())) {
                return verb;
            }
        }
        throw new IllegalArgumentException(
                "expected a POST to /ddl/emit, /ddl/ignore, /ddl/done, /ddl/skip or /ddl/text, found one to " + DDL
                        + path);
    }

    private CompletableFuture<PageAnswer> skip(QueryStringDecoder target) {
        String shard = parameter(target, "shard");
        String until = parameter(target, "until");
        if (shard.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected shard=NAME, gtid=GTID and optionally until=GTID, found no shard");
        }
        return carriedOut(changes.skip(
                shard,
                Gtid.parse(parameter(target, "gtid")),
                until.isEmpty() ? Optional.empty() : Optional.of(Gtid.parse(until))));
    }

    private static CompletableFuture<PageAnswer> carriedOut(CompletableFuture<String> result) {
        return result.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .handle((line, failure) -> failure == null
                        ? new PageAnswer(HttpResponseStatus.OK, line + "\n")
                        : failed(failure, "; the decision may be carried out nevertheless: see tributary ddl list"));
    }

    /** @param afterwards the note to add after a timeout */
    private static PageAnswer failed(Throwable failure, String afterwards) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof TributaryException known && known.code() == ErrorCode.DECISION_REFUSED) {
            return new PageAnswer(HttpResponseStatus.CONFLICT, known.getMessage() + "\n");
        }
        String why = cause instanceof TimeoutException
                ? "the ordering thread did not answer within " + TIMEOUT_SECONDS + " s" + afterwards
                : cause.getMessage();
        return new PageAnswer(HttpResponseStatus.SERVICE_UNAVAILABLE, why + "\n");
    }

    private static CompletableFuture<PageAnswer> done(HttpResponseStatus status, String line) {
        return CompletableFuture.completedFuture(new PageAnswer(status, line + "\n"));
    }

    private static String parameter(QueryStringDecoder target, String name) {
        List<String> values = target.parameters().getOrDefault(name, List.of());
        return values.size() == 1 ? values.get(0) : "";
    }
}
