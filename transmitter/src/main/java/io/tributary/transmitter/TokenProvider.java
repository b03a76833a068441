package io.tributary.transmitter;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.Token;
import io.tributary.store.JournalMap;
import io.tributary.transmit.proto.TransmitWire;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The provider of a relay's tokens, for the Task above it. */
final class TokenProvider implements StreamProvider {
    private static final int QUEUE_ITEMS = 1 << 13;

    private final TokenSource source;
    private final long queueBytes;
    private final Metrics metrics;
    private final Clock clock;

    TokenProvider(TokenSource source, long queueBytes, Metrics metrics, Clock clock) {
        this.source = source;
        this.queueBytes = queueBytes;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public String sender() {
        return "relay";
    }

    @Override
    public String receiver() {
        return "Task";
    }

    @Override
    public void check(TransmitWire.Open open, Optional<Cut> resume) {
        if (!open.hasTokens() || resume.isEmpty()) {
            throw TransmitStream.refusal(
                    "expected a Task that requests tokens after a cut, found a Dumper that requests transactions:"
                            + " transmit.task is the address of a relay");
        }
        Set<String> shards =
                resume.get().shards().stream().map(Cut.ShardCut::name).collect(Collectors.toCollection(TreeSet::new));
        if (!source.shards().containsAll(shards)) {
            throw TransmitStream.refusal("expected some of the shards " + new TreeSet<>(source.shards())
                    + " that this relay can read, found " + shards + " from the Task");
        }
        String settings = open.getTokens().getSettings();
        if (!settings.equals(source.settings())) {
            throw TransmitStream.refusal("expected the settings of this relay, " + source.settings() + ", found "
                    + settings + " from the Task");
        }
    }

    /** A Task above a relay has no epoch. */
    @Override
    public long newestEpoch() {
        return 0;
    }

    @Override
    public JournalMap journal() {
        return JournalMap.onHeap(); // it has few entries
    }

    @Override
    public StreamSource.Running open(Optional<Cut> resume, JournalMap journal, TransmitStream stream) {
        Cut from = resume.orElseThrow();
        Map<String, byte[]> entries = new TreeMap<>();
        journal.forEach(HiddenForm.PREFIX, entries::put);
        TokenSource.Start start = new TokenSource.Start(from, HiddenForm.byShard(entries));
        Link<Token> tokens = new Link<>("transmit", QUEUE_ITEMS, queueBytes, TokenProvider::bytes, clock);
        RoundRequest demand = new RoundRequest();
        return new ProvidedLink<>(tokens, metrics, Token::release).open(link -> {
            TokenSender sender = new TokenSender(link, stream, demand, from.shards());
            return source.open(start, demand, link, sender, stream::end);
        });
    }

    private static long bytes(Token token) {
        return token.payload() == null ? 0 : token.payload().length();
    }
}
