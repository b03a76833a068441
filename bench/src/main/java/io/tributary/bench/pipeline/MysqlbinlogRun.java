package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.TimedCommand;
import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.SourceProcess;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The peer: {@code mysqlbinlog --raw --read-from-remote-server} over the same sources, one after another. */
final class MysqlbinlogRun {
    private final SourceProcess source;
    private final Path folder;

    /** @param folder made for its files and deleted afterwards */
    MysqlbinlogRun(SourceProcess source, Path folder) {
        this.source = source;
        this.folder = folder;
    }

    Outcome run(Load load) throws IOException {
        source.reset();
        Folders.delete(folder);
        double sourceBefore = ProcessUsage.of(source.pid()).cpuSeconds();
        TimedCommand all = new TimedCommand(0, 0, 0);
        long written = 0;
        for (String shard : source.shards()) {
            Path place = Files.createDirectories(folder.resolve(shard));
            all = all.and(read(shard, place));
            written += Files.size(place.resolve(CannedBinlog.FILE_NAME));
        }
        Folders.delete(folder);
        // it asks for events without their 4 bytes of checksum
        if (written < load.bytes() - 4 * load.events()) {
            throw new IllegalStateException(
                    "expected mysqlbinlog to write about " + load.bytes() + " bytes, it wrote " + written);
        }
        ProcessUsage used = new ProcessUsage(all.userSeconds(), all.systemSeconds(), 0, Map.of());
        double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - sourceBefore;
        return new Outcome(all.seconds(), used, 0, sourceCpu, 0, new Outcome.Part(1, all.seconds(), used));
    }

    private TimedCommand read(String shard, Path place) {
        MysqlUser user = MysqlUser.tributary();
        return TimedCommand.run(MysqlTools.cached()
                .remoteBinlog(
                        source.port(shard),
                        user.name(),
                        user.password(),
                        "--raw",
                        "--result-file=" + place + "/",
                        CannedBinlog.FILE_NAME));
    }
}
