package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;
import io.tributary.transmit.proto.TransmitWire;
import java.util.Optional;

/** The content that a node sends on its streams, for one kind of receiver. */
interface StreamProvider {
    /** The role of this node, as messages name it. */
    String sender();

    /** The role of the receiving node, as messages name it. */
    String receiver();

    /** @throws TributaryException if the request is not one that this node can serve */
    void check(TransmitWire.Open open, Optional<Cut> resume);

    /** Builds and starts a pipeline that writes to the stream; see {@link StreamSource#open} and {@link TokenSource#open}. */
    StreamSource.Running open(Optional<Cut> resume, JournalMap journal, TransmitStream stream);

    /** As {@link StreamSource#newestEpoch}. */
    long newestEpoch();

    /** As {@link StreamSource#journal}. */
    JournalMap journal();
}
