package io.tributary.mysql.protocol.compress;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** zlib, with its fastest level. */
final class ZlibCodec implements BlockCodec {
    private static final int OVERHEAD = 64;

    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final Inflater inflater = new Inflater();

    @Override
    public int bound(int bytes) {
        return bytes + bytes / 1000 + OVERHEAD;
    }

    @Override
    public void compress(ByteBuffer from, ByteBuffer to) {
        deflater.reset();
        deflater.setInput(from);
        deflater.finish();
        while (!deflater.finished()) {
            if (deflater.deflate(to) == 0 && !to.hasRemaining()) {
                throw new IllegalStateException("expected a compressed block within its bound, found a longer one");
            }
        }
    }

    @Override
    public boolean decompress(ByteBuffer from, ByteBuffer to) {
        try {
            inflater.setInput(from);
            inflater.inflate(to);
            if (inflater.needsDictionary()) {
                throw new IllegalArgumentException("expected a block without a dictionary");
            }
            return inflater.finished();
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("expected zlib data: " + e.getMessage(), e);
        }
    }

    @Override
    public void nextBlock(int bytes) {
        inflater.reset();
    }

    @Override
    public void close() {
        deflater.end();
        inflater.end();
    }
}
