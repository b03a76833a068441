package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.SourceProcess;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The peer: {@code mysqlbinlog --raw --read-from-remote-server} over the same sources, one after another. */
final class MysqlbinlogRun {
    /** bash tells real, user and system seconds of what it waited for. */
    private static final String TIMED = "TIMEFORMAT='%3R %3U %3S'; time \"$@\"";

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
        double seconds = 0;
        double user = 0;
        double system = 0;
        long written = 0;
        for (String shard : source.shards()) {
            Path place = Files.createDirectories(folder.resolve(shard));
            String[] times = read(shard, place);
            seconds += Double.parseDouble(times[0]);
            user += Double.parseDouble(times[1]);
            system += Double.parseDouble(times[2]);
            written += Files.size(place.resolve(CannedBinlog.FILE_NAME));
        }
        Folders.delete(folder);
        // it asks for events without their 4 bytes of checksum
        if (written < load.bytes() - 4 * load.events()) {
            throw new IllegalStateException(
                    "expected mysqlbinlog to write about " + load.bytes() + " bytes, it wrote " + written);
        }
        ProcessUsage used = new ProcessUsage(user, system, 0, Map.of());
        double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - sourceBefore;
        return new Outcome(seconds, used, 0, sourceCpu, 0, new Outcome.Part(1, seconds, used));
    }

    /** Real, user and system seconds. */
    private String[] read(String shard, Path place) {
        MysqlUser user = MysqlUser.tributary();
        List<String> command = new ArrayList<>(List.of("bash", "-c", TIMED, "bash"));
        command.addAll(MysqlTools.cached()
                .remoteBinlog(
                        source.port(shard),
                        user.name(),
                        user.password(),
                        "--raw",
                        "--result-file=" + place + "/",
                        CannedBinlog.FILE_NAME));
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        if (outcome.status() != 0) {
            throw new IllegalStateException("mysqlbinlog failed: " + outcome.output());
        }
        String said = outcome.output().strip();
        return said.substring(said.lastIndexOf('\n') + 1).split(" ", 3);
    }
}
