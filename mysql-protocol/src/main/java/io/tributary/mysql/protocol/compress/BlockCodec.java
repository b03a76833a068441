package io.tributary.mysql.protocol.compress;

import java.nio.ByteBuffer;

/** Compresses blocks, and decompresses received ones in pieces. One thread at a time. */
interface BlockCodec extends AutoCloseable {
    /** The largest compressed length of a block, in bytes. */
    int bound(int bytes);

    /**
     * Compresses a block.
     *
     * @param from direct, consumed
     * @param to direct, with {@link #bound} bytes of room
     */
    void compress(ByteBuffer from, ByteBuffer to);

    /**
     * Decompresses the next bytes of a received block, as far as there are bytes and room; both buffers are direct and advance.
     *
     * @return whether the block is complete
     * @throws IllegalArgumentException when the block is damaged, or needs more memory than its length allows
     */
    boolean decompress(ByteBuffer from, ByteBuffer to);

    /**
     * Begins another received block.
     *
     * @param bytes the decompressed length that its packet states
     */
    void nextBlock(int bytes);

    @Override
    void close();
}
