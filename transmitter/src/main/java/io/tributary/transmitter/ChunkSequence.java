package io.tributary.transmitter;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Chunk;

/** The check of the order of chunks in a stream: numbers without gap or repeat, large transactions whole, cuts only between transactions. */
final class ChunkSequence {
    private long last;
    private boolean isInside;
    private long missing;

    /** The number of the last chunk; 0 before the first. */
    long last() {
        return last;
    }

    /** @throws TributaryException STREAM_CONTRADICTION if this chunk cannot be the next one */
    void check(Chunk chunk) {
        if (chunk.number() != last + 1) {
            throw contradiction("expected chunk " + (last + 1) + ", found chunk " + chunk.number()
                    + (chunk.number() > last ? ": a gap" : ": a repeat"));
        }
        boolean continues = chunk instanceof Chunk.Data || chunk instanceof Chunk.End;
        if (continues != isInside) {
            throw contradiction("expected " + (isInside ? "the rest" : "the beginning") + " of a transaction in chunk "
                    + chunk.number() + ", found " + chunk.getClass().getSimpleName());
        }
        if (chunk instanceof Chunk.Begin begin) {
            isInside = true;
            missing = begin.length();
        } else if (chunk instanceof Chunk.Data data) {
            missing -= data.bytes();
        } else if (chunk instanceof Chunk.End) {
            isInside = false;
        }
        if (missing < 0 || !isInside && missing > 0) {
            throw contradiction("expected a large transaction to end after all of its bytes, found " + missing
                    + " bytes missing at chunk " + chunk.number());
        }
        last = chunk.number();
    }

    private static TributaryException contradiction(String message) {
        return new TributaryException(ErrorCode.STREAM_CONTRADICTION, message);
    }
}
