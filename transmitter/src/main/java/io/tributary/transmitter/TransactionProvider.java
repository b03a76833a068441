package io.tributary.transmitter;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;
import io.tributary.transmit.proto.TransmitWire;
import java.util.Optional;

/** The provider of a Task's transactions, for a Dumper. */
final class TransactionProvider implements StreamProvider {
    private static final int QUEUE_ITEMS = 1 << 12;

    private final StreamSource source;
    private final long queueBytes;
    private final Metrics metrics;
    private final Clock clock;

    TransactionProvider(StreamSource source, long queueBytes, Metrics metrics, Clock clock) {
        this.source = source;
        this.queueBytes = queueBytes;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public String sender() {
        return "Task";
    }

    @Override
    public String receiver() {
        return "Dumper";
    }

    @Override
    public void check(TransmitWire.Open open, Optional<Cut> resume) {
        if (open.hasTokens()) {
            throw TransmitStream.refusal(
                    "expected a Dumper that requests transactions, found a Task that requests tokens: relay.*.address"
                            + " is the address of a node that is not a relay");
        }
    }

    @Override
    public long newestEpoch() {
        return source.newestEpoch();
    }

    @Override
    public JournalMap journal() {
        return source.journal();
    }

    @Override
    public StreamSource.Running open(Optional<Cut> resume, JournalMap journal, TransmitStream stream) {
        Link<Chunk> chunks = new Link<>("transmit", QUEUE_ITEMS, queueBytes, Chunk::bytes, clock);
        return new ProvidedLink<>(chunks, metrics, Chunk::release)
                .open(link -> source.open(resume, journal, link, new TransmitSender(link, stream), stream));
    }
}
