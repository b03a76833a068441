package io.tributary.node.console;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.config.HostPort;
import io.tributary.node.status.ClusterStatus;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * The summaries of the other members of the cluster, which this node requests from their admin endpoints without a login while a browser shows its
 * console, by HTTP or, with certificates that it trusts, by HTTPS. For a member whose summary it does not get, it knows why. On one event loop.
 */
public final class PeerStates {
    private static final int MOST_PEERS = 8;
    private static final int MOST_BYTES = 64 << 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final String HTTP = "http";
    private static final String HTTPS = "https";

    private final String page;
    private final MemberTrust trust;
    private final Executor loop;
    private final Map<String, String> states = new LinkedHashMap<>();
    private final Map<String, Link> links = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();
    private Optional<SSLContext> context = Optional.empty();
    private HttpClient http; // null before the first request

    /**
     * How a member was reached.
     *
     * @param scheme http or https
     * @param problem why there is no summary of it; "" if there is one
     */
    private record Link(String scheme, String problem) {}

    /**
     * @param audience the most that this node may show of others to anyone: what their endpoints show without a login may be more than that
     * @param trust for HTTPS
     * @param loop runs all calls of this object, and receives the answers
     */
    public PeerStates(Audience audience, MemberTrust trust, Executor loop) {
        this.page = "/console/state" + (audience == Audience.VIEWER ? "?audience=viewer" : "");
        this.trust = trust;
        this.loop = loop;
    }

    /**
     * Requests the summaries of the other members that do not still answer an earlier request.
     *
     * @param self the name of this node
     */
    public void ask(ClusterStatus cluster, String self) {
        Map<String, HostPort> others = new LinkedHashMap<>();
        cluster.members().stream()
                .filter(member -> !member.id().equals(self) && member.admin().isPresent())
                .sorted(Comparator.comparing((ClusterMember member) -> !works(member, cluster))
                        .thenComparing(ClusterMember::id))
                .limit(MOST_PEERS)
                .forEach(member -> others.put(member.id(), member.admin().orElseThrow()));
        states.keySet().retainAll(others.keySet());
        links.keySet().retainAll(others.keySet());
        others.forEach((name, address) -> {
            if (asked.add(name)) {
                ask(name, address);
            }
        });
    }

    /** Whether a member leads, or runs the pipeline: its summary has what no other one has. */
    private static boolean works(ClusterMember member, ClusterStatus cluster) {
        return cluster.leader()
                        .filter(leader -> leader.node().equals(member.id()))
                        .isPresent()
                || cluster.work().stream()
                        .anyMatch(work ->
                                work.node().equals(member.id()) && work.what().equals("pipeline"));
    }

    private void ask(String name, HostPort address) {
        String scheme = Optional.ofNullable(links.get(name)).map(Link::scheme).orElse(HTTP);
        var unused = request(scheme, address)
                .thenCompose(outcome -> outcome.isFinal()
                        ? CompletableFuture.completedFuture(outcome)
                        : request(scheme.equals(HTTP) ? HTTPS : HTTP, address)
                                .thenApply(other -> other.isFinal() || other.isOfTls() ? other : outcome))
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            asked.remove(name);
                            received(name, failure == null ? outcome : Outcome.failed(scheme, failure));
                        },
                        loop);
    }

    /**
     * What a request has led to.
     *
     * @param problem "" if the body is that of the page
     * @param isFinal whether the other scheme need not be tried
     */
    private record Outcome(String scheme, String body, String problem, boolean isFinal) {
        static Outcome answered(String scheme, HttpResponse<String> answer) {
            return switch (answer.statusCode()) {
                case HttpURLConnection.HTTP_OK -> new Outcome(scheme, answer.body(), "", true);
                case HttpURLConnection.HTTP_UNAUTHORIZED ->
                    new Outcome(scheme, "", "it shows nothing without a login (admin.console.viewers)", true);
                case HttpURLConnection.HTTP_BAD_REQUEST -> // of a server that expects TLS
                    new Outcome(scheme, "", "it answers with status 400", false);
                default -> new Outcome(scheme, "", "it answers with status " + answer.statusCode(), true);
            };
        }

        static Outcome failed(String scheme, Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            boolean isUnreachable = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
            Optional<String> refusal = MemberTrust.refusal(cause);
            return new Outcome(scheme, "", refusal.orElse("it does not answer"), isUnreachable || refusal.isPresent());
        }

        boolean isOfTls() {
            return scheme.equals(HTTPS) && !problem.equals("it does not answer");
        }
    }

    private CompletableFuture<Outcome> request(String scheme, HostPort address) {
        Optional<SSLContext> now = trust.context();
        if (scheme.equals(HTTPS) && now.isEmpty()) {
            return CompletableFuture.completedFuture(new Outcome(
                    scheme,
                    "",
                    "it seems to use TLS, and this node has no CA to check its certificate (grpc.tls.ca)",
                    false));
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(scheme + "://" + address + page))
                .timeout(TIMEOUT)
                .build();
        return client(now)
                .sendAsync(request, answer -> bounded())
                .handleAsync(
                        (answer, failure) ->
                                failure == null ? Outcome.answered(scheme, answer) : Outcome.failed(scheme, failure),
                        loop);
    }

    private HttpClient client(Optional<SSLContext> now) {
        if (http == null || !now.equals(context)) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(loop)
                    .connectTimeout(TIMEOUT);
            now.ifPresent(builder::sslContext);
            http = builder.build();
            context = now;
        }
        return http;
    }

    /** The beginning of a body: more is not stored. */
    private static HttpResponse.BodySubscriber<String> bounded() {
        AtomicInteger size = new AtomicInteger();
        StringBuilder text = new StringBuilder();
        return HttpResponse.BodySubscribers.mapping(
                HttpResponse.BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(bytes -> {
                    if (size.addAndGet(bytes.length) <= MOST_BYTES) {
                        text.append(new String(bytes, StandardCharsets.ISO_8859_1));
                    }
                })),
                done -> new String(text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    /** An address may lead to another node than the member: a loopback address of its machine is also one of this machine. */
    private void received(String name, Outcome outcome) {
        boolean isOfMember = outcome.body().contains("\"node\":{\"name\":\"" + name + "\"");
        if (isOfMember) {
            states.put(name, outcome.body());
        } else {
            states.remove(name);
        }
        String problem = outcome.problem().isEmpty() && !isOfMember
                ? "another node answers at its address on this machine"
                : outcome.problem();
        links.put(name, new Link(outcome.scheme(), problem));
    }

    /** The summaries by member, each a JSON text that another node has made. */
    public Map<String, String> states() {
        return Map.copyOf(states);
    }

    /** How each member was reached, by name: {@code scheme}, and {@code problem} if there is no summary. */
    public Map<String, Object> links() {
        Map<String, Object> all = new LinkedHashMap<>();
        links.forEach((name, link) -> all.put(name, Map.of("scheme", link.scheme(), "problem", link.problem())));
        return all;
    }
}
