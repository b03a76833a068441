package io.tributary.dumper;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Writes one more cut behind all that is durable, while no pipeline writes: an operator's order that has to outlive restarts. */
public final class CutAppender {
    private CutAppender() {}

    /**
     * Appends and forces to disk.
     *
     * @param directory whose lock is held
     * @param recovered what was just recovered there; not to be used any more
     * @param cut at the place of the recovered one
     * @throws io.tributary.common.error.TributaryException IO_FAILED, DISK_FULL
     */
    public static void append(
            BinlogDirectory directory, BinlogConfig config, Recovered recovered, Cut cut, Clock clock) {
        BinlogFile file = recovered.files().writtenEnd().file();
        byte[] bytes = CutCodec.encodeFull(cut);
        ByteBuffer event = ByteBuffer.allocate(CutEvent.length(bytes));
        long timestamp = TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
        CutEvent.write(event, 0, timestamp, config.serverId(), file.written(), bytes);
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            long at = file.written();
            while (event.hasRemaining()) {
                at += channel.write(event, at);
            }
            channel.force(true);
        } catch (IOException e) {
            throw DiskTrouble.of(directory.path(), "append a cut", e);
        }
    }
}
