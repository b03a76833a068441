package io.tributary.bench.pipeline;

import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.SourceProcess;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run of the peer go-mysql in raw mode: all shards at the same time in one process, each to a file. It needs Go and its modules. */
final class GoMysqlRun implements Peer {
    private final SourceProcess source;
    private final Path folder;
    private final Path program = NodeProcess.projectHome().resolve("bench/target/gomysql");

    /** @param folder created for its files and deleted afterwards */
    GoMysqlRun(SourceProcess source, Path folder) {
        this.source = source;
        this.folder = folder;
    }

    @Override
    public String name() {
        return "go-mysql raw";
    }

    /** Builds it if it is not built yet. */
    @Override
    public Optional<String> missing() {
        if (Files.isExecutable(program)) {
            return Optional.empty();
        }
        Path sources = NodeProcess.projectHome().resolve("bench/src/main/go/gomysql");
        MysqlTools.Outcome built = MysqlTools.run(List.of(
                "bash",
                "-c",
                "command -v go && cd \"$1\" && go build -o \"$2\" .",
                "bash",
                sources.toString(),
                program.toString()));
        return built.status() == 0
                ? Optional.empty()
                : Optional.of("go build failed, or Go is not installed: "
                        + built.output().strip());
    }

    @Override
    public Outcome run(Load load) throws IOException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        MysqlUser user = MysqlUser.tributary();
        List<String> command = new ArrayList<>(
                List.of(program.toString(), user.name(), user.password(), CannedBinlog.FILE_NAME, folder.toString()));
        command.addAll(load.shardArguments(source));
        try {
            return new WatchedCommand(source, load).run(command);
        } finally {
            Folders.delete(folder);
        }
    }
}
