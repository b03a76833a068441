package io.tributary.transmitter;

import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;

/** The stage that sends chunks on a stream while the Dumper's credit and the socket allow it. */
final class TransmitSender implements Stage {
    private static final int AT_ONCE = 32;

    private final Link<Chunk> inlet;
    private final TransmitStream stream;
    private final ChunkWriter writer = new ChunkWriter();

    TransmitSender(Link<Chunk> inlet, TransmitStream stream) {
        this.inlet = inlet;
        this.stream = stream;
    }

    @Override
    public String name() {
        return "transmit";
    }

    @Override
    public int doWork() {
        int sent = 0;
        while (sent < AT_ONCE && stream.hasRoom()) {
            Chunk chunk = inlet.poll();
            if (chunk == null) {
                break;
            }
            try {
                stream.send(writer.write(chunk));
            } finally {
                chunk.release(); // gRPC has serialized the message when send returns, see TransmitStream
            }
            sent++;
        }
        return sent;
    }

    @Override
    public void close() {
        inlet.drain(Chunk::release);
    }
}
