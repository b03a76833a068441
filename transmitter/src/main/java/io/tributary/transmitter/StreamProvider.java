package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.Optional;

/** What a node sends on its streams, and to whom. */
interface StreamOffer {
    /** What this node is, as messages name it. */
    String sender();

    /** What the node is that receives, as messages name it. */
    String receiver();

    /** @throws TributaryException when something else is asked for */
    void check(TransmitWire.Open open, Optional<Cut> resume);

    /** Builds and starts a pipeline that ends in the stream; see {@link StreamSource#open} and {@link TokenSource#open}. */
    StreamSource.Running open(Optional<Cut> resume, JournalMap journal, TransmitStream stream);

    /** As {@link StreamSource#newestTerm}. */
    long newestTerm();

    /** As {@link StreamSource#journal}. */
    JournalMap journal();
}
