package io.tributary.node.admin;

import io.netty.channel.ChannelHandlerContext;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.console.Audience;
import io.tributary.node.console.CertificateState;
import io.tributary.node.console.ConsoleHistory;
import io.tributary.node.console.ConsoleInput;
import io.tributary.node.console.ConsoleState;
import io.tributary.node.console.EventStreams;
import io.tributary.node.console.PeerStates;
import io.tributary.node.console.SampleTable;
import io.tributary.node.console.ShardRows;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.text.JsonText;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the documents of the console: every two seconds for the browsers that receive events, each document once for all browsers of an audience.
 * Without browsers it records only a few totals. On the event loop of the admin endpoint.
 */
final class ConsoleFeed {
    /** Interval between two events. */
    static final long PAUSE_MILLIS = 2000;

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleFeed.class);
    private static final long TIMEOUT_SECONDS = 2;

    private final NodeView node;
    private final Metrics metrics;
    private final CertificateWatch certificate;
    private final Clock clock;
    private final EventStreams streams;
    private final PeerStates peers;
    private final ConsoleHistory history = new ConsoleHistory();
    private volatile Optional<OrderSnapshot> transactions = Optional.empty();
    private volatile boolean isAsking;

    /** @param certificate its clock is also that of this object */
    ConsoleFeed(NodeView node, Metrics metrics, CertificateWatch certificate, EventStreams streams, PeerStates peers) {
        this.node = node;
        this.metrics = metrics;
        this.certificate = certificate;
        this.clock = certificate.clock();
        this.peers = peers;
        this.streams = streams;
    }

    EventStreams streams() {
        return streams;
    }

    /** The state of the endpoint's certificate now. */
    CertificateState certificate() {
        return certificate.state();
    }

    /** Records the totals, and sends an event to each browser. Called repeatedly; never throws. */
    void tick() {
        try {
            SampleTable samples = samples();
            history.add(millis(), samples);
            if (streams.size() > 0) {
                askTransactions();
                ConsoleInput now = input(samples);
                askPeers(now);
                Map<Audience, String> made = new EnumMap<>(Audience.class);
                streams.send(audience -> made.computeIfAbsent(audience, each -> stateEvent(now, each)));
            } else {
                certificate.state(); // logs its end
            }
        } catch (RuntimeException e) { // the next tick may succeed
            LOG.debug("console update failed:", e);
        }
    }

    private SampleTable samples() {
        return new SampleTable(metrics.samples());
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
    }

    private ConsoleInput input(SampleTable samples) {
        return new ConsoleInput(node.status(), samples, transactions, certificate.state());
    }

    /** Requests the transactions that wait, for the next tick: the ordering thread may take a while. */
    private void askTransactions() {
        if (isAsking) {
            return;
        }
        isAsking = true;
        var unused = asked().whenComplete((found, failure) -> {
            transactions = found;
            isAsking = false;
        });
    }

    private CompletableFuture<Optional<OrderSnapshot>> asked() {
        return node.transactions()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .handle((snapshot, failure) -> Optional.ofNullable(snapshot));
    }

    private void askPeers(ConsoleInput now) {
        String self = ConsoleState.name(now.status());
        now.status().parts().stream()
                .filter(ClusterStatus.class::isInstance)
                .forEach(part -> peers.ask((ClusterStatus) part, self));
    }

    private String stateEvent(ConsoleInput now, Audience audience) {
        Map<String, Object> document = document(now, audience);
        document.put("peers", peers.states());
        if (audience == Audience.OPERATOR) {
            document.put("peerLinks", peers.links());
        }
        return EventStreams.event("state", JsonText.of(document));
    }

    private Map<String, Object> document(ConsoleInput now, Audience audience) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("millis", millis());
        document.put("epochMillis", TimeUnit.MICROSECONDS.toMillis(clock.epochMicros()));
        document.putAll(ConsoleState.of(now, audience));
        return document;
    }

    /** The document now, as JSON. */
    CompletableFuture<String> state(Audience audience) {
        return asked().thenApply(found -> {
            transactions = found;
            return JsonText.of(document(input(samples()), audience)) + "\n";
        });
    }

    /** Begins to send events to a browser: first the totals of the last minutes, then the document. */
    void begin(ChannelHandlerContext connection, Audience audience) {
        askTransactions();
        ConsoleInput now = input(samples());
        askPeers(now);
        String first = EventStreams.event("history", JsonText.of(history.all())) + stateEvent(now, audience);
        streams.begin(connection, audience, PageHeaders::set, first);
    }

    /** Some of the shards, as JSON. */
    String shards(int from, String part, Audience audience) {
        return JsonText.of(new ShardRows(node.status(), samples()).page(from, part, audience)) + "\n";
    }
}
