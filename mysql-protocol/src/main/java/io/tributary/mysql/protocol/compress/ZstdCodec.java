package io.tributary.mysql.protocol.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** zstd with a level. */
final class ZstdCodec implements BlockCodec {
    /** The logarithm of the largest window that a client may use: 8 MiB, that of level 19. */
    private static final int WINDOW_LOG = 23;

    private final ZstdCompressCtx compressor = new ZstdCompressCtx();
    private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

    ZstdCodec(int level) {
        compressor.setLevel(level);
        decompressor.setLongMax(WINDOW_LOG);
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
    public void nextBlock() {
        decompressor.reset();
        decompressor.setLongMax(WINDOW_LOG);
    }

    @Override
    public void close() {
        compressor.close();
        decompressor.close();
    }
}
