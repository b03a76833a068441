package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The pages under /shards: GET shows the newest request, POST to /shards/add and /shards/remove begins one. A POST changes which shards the
 * node reads, so it is accepted only from programs of the node's own machine, and not if a web page may have sent it: a web page cannot set the
 * header.
 */
final class ShardPages {
    /** The header that a POST must have, with any value. */
    static final String HEADER = "X-Tributary-Request";

    private static final long MOST_SECONDS = 86_400;

    private final ShardRequests requests;

    ShardPages(ShardRequests requests) {
        this.requests = requests;
    }

    static boolean isOneOfThem(String path) {
        return path.equals("/shards") || path.startsWith("/shards/");
    }

    /** Whether a request that changes the node comes from a program of the node's own machine, and not from a web page in a browser there. */
    static boolean isOwnProgram(InetAddress from, boolean hasHeader) {
        return from.isLoopbackAddress() && hasHeader;
    }

    /** @param hasHeader whether the request has {@link #HEADER} */
    PageAnswer answer(HttpMethod method, QueryStringDecoder target, InetAddress from, boolean hasHeader) {
        if (method.equals(HttpMethod.GET) && target.path().equals("/shards")) {
            return state(HttpResponseStatus.OK, requests.state());
        }
        if (!method.equals(HttpMethod.POST)) {
            return new PageAnswer(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    "expected GET of /shards, or POST to /shards/add or /shards/remove\n");
        }
        if (!isOwnProgram(from, hasHeader)) {
            return new PageAnswer(
                    HttpResponseStatus.FORBIDDEN,
                    "shards can be added and removed from the node's own machine only: use the tributary command there\n");
        }
        return switch (target.path()) {
            case "/shards/add" -> begin(ShardRequests.Verb.ADD, target);
            case "/shards/remove" -> begin(ShardRequests.Verb.REMOVE, target);
            default ->
                new PageAnswer(
                        HttpResponseStatus.NOT_FOUND, "expected POST to /shards/add, /shards/remove or /shards/skip\n");
        };
    }

    private PageAnswer begin(ShardRequests.Verb verb, QueryStringDecoder target) {
        String shard = parameter(target, "shard");
        String seconds = parameter(target, "timeout");
        if (shard.isEmpty() || !seconds.matches("[1-9][0-9]{0,4}") || Long.parseLong(seconds) > MOST_SECONDS) {
            return new PageAnswer(
                    HttpResponseStatus.BAD_REQUEST,
                    "expected shard=NAME and timeout=SECONDS, 1 to " + MOST_SECONDS + "\n");
        }
        long before = requests.state().number();
        ShardRequests.State state = requests.submit(verb, shard, Duration.ofSeconds(Long.parseLong(seconds)));
        boolean isBegun = state.number() > before;
        return state(isBegun ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.CONFLICT, state);
    }

    private static String parameter(QueryStringDecoder target, String name) {
        List<String> values = target.parameters().getOrDefault(name, List.of());
        return values.size() == 1 ? values.get(0) : "";
    }

    /** The first line is for programs: number and progress. */
    private static PageAnswer state(HttpResponseStatus status, ShardRequests.State state) {
        String progress = state.progress().name().toLowerCase(Locale.ROOT);
        return new PageAnswer(status, state.number() + " " + progress + "\n" + state.message() + "\n");
    }
}
