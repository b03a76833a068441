package io.tributary.transmitter;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.JournalCodec;
import io.tributary.transmit.proto.TransmitWire;
import java.nio.ByteBuffer;

/**
 * A writer that encodes chunks as messages. It wraps the payload and does not copy it: a message is valid only until its chunk is released.
 * A cut is written as a delta to the cut before if possible. One writer per stream.
 */
final class ChunkWriter {
    private Cut previous;

    TransmitWire.Chunk write(Chunk chunk) {
        TransmitWire.Chunk.Builder message = TransmitWire.Chunk.newBuilder().setNumber(chunk.number());
        if (chunk instanceof Chunk.Batch batch) {
            message.setBatch(batch(batch));
        } else if (chunk instanceof Chunk.Begin begin) {
            message.setBegin(
                    TransmitWire.Begin.newBuilder().setLength(begin.length()).setEvents(begin.events()));
        } else if (chunk instanceof Chunk.Data data) {
            message.setData(wrap(data.view()));
        } else if (chunk instanceof Chunk.End) {
            message.setEnd(TransmitWire.End.getDefaultInstance());
        } else if (chunk instanceof Chunk.CutMark mark) {
            message.setCut(cut(mark.cut()));
        } else if (chunk instanceof Chunk.JournalMark mark) {
            message.setJournal(UnsafeByteOperations.unsafeWrap(JournalCodec.encode(mark.change())));
        }
        return message.build();
    }

    private static TransmitWire.Batch.Builder batch(Chunk.Batch batch) {
        TransmitWire.Batch.Builder message = TransmitWire.Batch.newBuilder();
        for (int length : batch.lengths()) {
            message.addLengths(length);
        }
        for (int events : batch.events()) {
            message.addEvents(events);
        }
        return message.setPayload(wrap(batch.view()));
    }

    private static ByteString wrap(ByteBuffer view) {
        return UnsafeByteOperations.unsafeWrap(view.slice());
    }

    private ByteString cut(Cut cut) {
        boolean asDelta = previous != null && previous.hasSameShards(cut);
        byte[] bytes = asDelta ? CutCodec.encodeDelta(previous, cut) : CutCodec.encodeFull(cut);
        previous = cut;
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
