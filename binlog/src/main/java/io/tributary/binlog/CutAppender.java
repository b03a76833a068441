package io.tributary.binlog;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.CutEvent;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.EventOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Appends one more cut to the durable binlog while no pipeline writes: an operator's command that must survive restarts. */
public final class CutAppender {
    private CutAppender() {}

    /**
     * Appends and forces to disk.
     *
     * @param directory its lock is held by the caller
     * @param recovered result of a recovery of that folder; must not be used afterwards
     * @param cut at the position of the recovered cut
     * @throws io.tributary.common.error.TributaryException IO_FAILED, DISK_FULL
     */
    public static void append(
            BinlogDirectory directory, BinlogConfig config, Recovered recovered, Cut cut, Clock clock) {
        BinlogFile file = recovered.files().writtenEnd().file();
        byte[] bytes = CutCodec.encodeFull(cut);
        ByteBuffer event = ByteBuffer.allocate(CutEvent.length(bytes));
        long timestamp = TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
        CutEvent.write(event, 0, new EventOrigin(timestamp, config.serverId()), file.written(), bytes);
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            long at = file.written();
            while (event.hasRemaining()) {
                at += channel.write(event, at);
            }
            channel.force(true);
        } catch (IOException e) {
            throw IoErrors.of(directory.path(), "append a cut", e);
        }
    }
}
