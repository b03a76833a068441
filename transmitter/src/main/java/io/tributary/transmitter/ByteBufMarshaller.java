package io.tributary.transmitter;

import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A gRPC marshaller that reads a received message into one direct buffer, which the receiver releases: the only copy on receiving. */
final class ByteBufMarshaller implements Marshaller<ByteBuf> {
    private final ByteBufAllocator allocator;

    ByteBufMarshaller(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public InputStream stream(ByteBuf value) {
        throw new UnsupportedOperationException("this marshaller only receives messages");
    }

    @Override
    public ByteBuf parse(InputStream stream) {
        try {
            if (!(stream instanceof KnownLength)) {
                throw new IOException("a stream of unknown length");
            }
            int size = stream.available();
            ByteBuf message = allocator.directBuffer(size, size);
            boolean read = false;
            try {
                fill(message, stream);
                read = true;
                return message;
            } finally {
                if (!read) {
                    message.release();
                }
            }
        } catch (IOException e) {
            throw new TributaryException(ErrorCode.STREAM_BROKEN, "expected the bytes of a message: " + e, e);
        }
    }

    private static void fill(ByteBuf message, InputStream stream) throws IOException {
        boolean hasBuffers = stream instanceof HasByteBuffer buffers && buffers.byteBufferSupported();
        while (message.isWritable()) {
            int before = message.writerIndex();
            ByteBuffer range = hasBuffers ? ((HasByteBuffer) stream).getByteBuffer() : null;
            if (range == null) {
                message.writeBytes(stream, message.writableBytes());
            } else {
                message.writeBytes(range);
                stream.skipNBytes(message.writerIndex() - before);
            }
            if (message.writerIndex() == before) {
                throw new IOException("the message ends " + message.writableBytes() + " bytes early");
            }
        }
    }
}
