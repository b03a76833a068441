package io.tributary.node.command;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.DirectoryObjectStore;
import io.tributary.backup.ObjectStore;
import io.tributary.backup.Restore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Brings the binlog files of a backup back. */
@Command(
        name = "restore",
        description = {
            "Brings the binlog files of a backup back into an empty binlog.directory, each checked.",
            "The next start goes on behind the last of them."
        },
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "DIR",
            description = "The folder that was backup.directory.")
    private Path from;

    @Option(
            names = "--cluster",
            paramLabel = "UUID",
            description = "Which cluster's backup, where there are several: the UUID of its GTIDs.")
    private String cluster;

    @Override
    public Integer call() {
        BinlogConfig binlog = file.read(BinlogConfig.class);
        String prefix = file.read(BackupConfig.class).prefix();
        ObjectStore store = new DirectoryObjectStore(from);
        String uuid = cluster == null ? onlyCluster(store, prefix, binlog.clusterUuid()) : cluster;
        List<String> names = Restore.run(store, prefix, uuid, binlog.directory());
        PrintWriter out = spec.commandLine().getOut();
        out.println("restored " + names.size() + " files of cluster " + uuid + " to " + binlog.directory());
        out.flush();
        return 0;
    }

    private String onlyCluster(ObjectStore store, String prefix, Optional<String> configured) {
        if (configured.isPresent()) {
            return configured.get();
        }
        List<String> clusters = Restore.clusters(store, prefix);
        if (clusters.size() != 1) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    from + ": expected the backup of one cluster below '" + prefix + "', found "
                            + (clusters.isEmpty() ? "none" : clusters + "; say which with --cluster"));
        }
        return clusters.get(0);
    }
}
