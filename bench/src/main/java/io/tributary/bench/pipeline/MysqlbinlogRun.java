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
import java.util.List;
import java.util.Optional;

/** A run of the peer {@code mysqlbinlog --raw --read-from-remote-server} over the same sources, one after another. */
final class MysqlbinlogRun implements Peer {
    private final SourceProcess source;
    private final Path folder;

    /** @param folder created for its files and deleted afterwards */
    MysqlbinlogRun(SourceProcess source, Path folder) {
        this.source = source;
        this.folder = folder;
    }

    @Override
    public String name() {
        return "mysqlbinlog --raw";
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public Outcome run(Load load) throws IOException {
        Folders.delete(folder);
        for (String shard : source.shards()) {
            Files.createDirectories(folder.resolve(shard));
        }
        source.reset();
        double before = ProcessUsage.of(source.pid()).cpuSeconds();
        List<TimedCommand> times = source.shards().stream().map(this::read).toList();
        double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - before;
        long written = 0;
        for (String shard : source.shards()) {
            written += Files.size(folder.resolve(shard).resolve(CannedBinlog.FILE_NAME));
        }
        Folders.delete(folder);
        // it requests events without their 4 bytes of checksum
        if (written < load.bytes() - 4 * load.events()) {
            throw new IllegalStateException(
                    "expected mysqlbinlog to write about " + load.bytes() + " bytes, found " + written);
        }
        return Outcome.of(sum(times), sourceCpu, later(times));
    }

    /** The shards of the later half, which are as large as those of the first half; all shards if there is only one. */
    private static Outcome.Part later(List<TimedCommand> times) {
        List<TimedCommand> half = times.subList(times.size() / 2, times.size());
        return Outcome.Part.of((double) half.size() / times.size(), sum(half));
    }

    private static TimedCommand sum(List<TimedCommand> times) {
        return times.stream().reduce(new TimedCommand(0, 0, 0), TimedCommand::and);
    }

    private TimedCommand read(String shard) {
        MysqlUser user = MysqlUser.tributary();
        return TimedCommand.run(MysqlTools.cached()
                .remoteBinlog(
                        source.port(shard),
                        user.name(),
                        user.password(),
                        "--raw",
                        "--result-file=" + folder.resolve(shard) + "/",
                        CannedBinlog.FILE_NAME));
    }
}
