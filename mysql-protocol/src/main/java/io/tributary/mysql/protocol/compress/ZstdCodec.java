package io.tributary.mysql.protocol.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** zstd with a level. */
final class ZstdCodec implements BlockCodec {
    /** Logarithms of the windows that a client may use: up to 8 MiB, that of level 19, but not more than a block of its length needs. */
    private static final int LEAST_WINDOW = 10;

    private static final int LARGEST_WINDOW = 23;

    private final ZstdCompressCtx compressor = new ZstdCompressCtx();
    private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

    ZstdCodec(int level) {
        compressor.setLevel(level);
    }

    @Override
    public int bound(int bytes) {
        return Math.toIntExact(Zstd.compressBound(bytes));
    }

    @Override
    public void compress(ByteBuffer from, ByteBuffer to) {
        compressor.compress(to, from);
    }

    @Override
    public boolean decompress(ByteBuffer from, ByteBuffer to) {
        try {
            return decompressor.decompressDirectByteBufferStream(to, from);
        } catch (ZstdException e) {
            throw new IllegalArgumentException("expected zstd data: " + e.getMessage(), e);
        }
    }

    @Override
    public void nextBlock(int bytes) {
        int needed = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, bytes - 1));
        decompressor.reset();
        decompressor.setLongMax(Math.max(LEAST_WINDOW, Math.min(LARGEST_WINDOW, needed)));
    }

    @Override
    public void close() {
        compressor.close();
        decompressor.close();
    }
}
