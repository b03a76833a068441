package io.tributary.node.console;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.config.HostPort;
import io.tributary.node.status.ClusterStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The summaries of the other members of the cluster, which this node requests from their admin endpoints without a login while a browser shows its
 * console. A member whose endpoint is not reachable from here, uses TLS or does not allow viewers is left out. On one event loop.
 */
public final class PeerStates {
    private static final int MOST_PEERS = 8;
    private static final int MOST_BYTES = 64 << 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final String page;
    private final Executor loop;
    private final Map<String, String> states = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();
    private HttpClient http; // null before the first request

    /**
     * @param audience the most that this node may show of others to anyone: what their endpoints show without a login may be more than that
     * @param loop runs all calls of this object, and receives the answers
     */
    public PeerStates(Audience audience, Executor loop) {
        this.page = "/console/state" + (audience == Audience.VIEWER ? "?audience=viewer" : "");
        this.loop = loop;
    }

    /**
     * Requests the summaries of the other members that do not still answer an earlier request.
     *
     * @param self the name of this node
     */
    public void ask(ClusterStatus cluster, String self) {
        Map<String, HostPort> others = new HashMap<>();
        cluster.members().stream()
                .filter(member -> !member.id().equals(self) && member.admin().isPresent())
                .limit(MOST_PEERS)
                .forEach(member -> others.put(member.id(), address(member)));
        states.keySet().retainAll(others.keySet());
        others.forEach((name, address) -> {
            if (asked.add(name)) {
                ask(name, address);
            }
        });
    }

    private static HostPort address(ClusterMember member) {
        return member.admin().orElseThrow();
    }

    private void ask(String name, HostPort address) {
        if (http == null) {
            http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(loop)
                    .connectTimeout(TIMEOUT)
                    .build();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + page))
                .timeout(TIMEOUT)
                .build();
        var unused = http.sendAsync(request, answer -> bounded())
                .handleAsync(
                        (answer, failure) -> {
                            asked.remove(name);
                            return received(name, failure == null && answer.statusCode() == 200 ? answer.body() : "");
                        },
                        loop);
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
    private boolean received(String name, String state) {
        boolean isOfMember = state.contains("\"node\":{\"name\":\"" + name + "\"");
        if (isOfMember) {
            states.put(name, state);
        } else {
            states.remove(name);
        }
        return isOfMember;
    }

    /** The summaries by member, each a JSON text that another node has made. */
    public Map<String, String> states() {
        return Map.copyOf(states);
    }
}
