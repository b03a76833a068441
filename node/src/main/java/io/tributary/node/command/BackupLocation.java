package io.tributary.node.command;

import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.Manifest;
import io.tributary.backup.ObjectStores;
import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.command.client.ConfigFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that select the backup for a command. */
final class BackupLocation {
    /** A system property that the start script sets if the output is a terminal. */
    private static final String TERMINAL = "tributary.terminal";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private ConfigFile file;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "A directory to read instead of the backup in the configuration.")
    private Path from;

    @Option(
            names = "--cluster",
            paramLabel = "UUID",
            description = "The cluster whose backup is used, if there are several: the UUID of its GTIDs.")
    private String cluster;

    /** Work on a backup. */
    interface Task {
        /**
         * Does the work.
         *
         * @param out for messages; it is flushed at the end
         * @return the command's exit status
         */
        int run(Backup backup, BinlogConfig binlog, PrintWriter out);
    }

    /** Opens the backup for a task, and returns the result of the task. */
    int with(Task task) {
        BinlogConfig binlog = file.read(BinlogConfig.class);
        String prefix = config().prefix();
        try (ObjectStore store = open()) {
            String uuid = cluster == null ? onlyCluster(store, prefix, binlog) : cluster;
            PrintWriter out = command.commandLine().getOut();
            int code = task.run(new Backup(store, prefix, uuid, BackupKeys.of(config())), binlog, out);
            out.flush();
            return code;
        }
    }

    /** The keys of the backup. */
    BackupConfig config() {
        return file.read(BackupConfig.class);
    }

    /** Shows the progress of work on files; with a bar if the output is a terminal. */
    BackupProgress progress(PrintWriter out, List<Manifest.Entry> files) {
        return new BackupProgress(out, Boolean.getBoolean(TERMINAL), files);
    }

    private ObjectStore open() {
        if (from != null) {
            return DirectoryObjectStore.at(from);
        }
        return ObjectStores.of(config(), file.read(S3Config.class))
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "expected backup.directory or backup.s3.bucket, found neither; set one, or use --from"));
    }

    private static String onlyCluster(ObjectStore store, String prefix, BinlogConfig binlog) {
        if (binlog.clusterUuid().isPresent()) {
            return binlog.clusterUuid().get();
        }
        List<String> clusters = Backup.clusters(store, prefix);
        if (clusters.size() != 1) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    store + ": expected the backup of one cluster below '" + prefix + "', found "
                            + (clusters.isEmpty() ? "none" : clusters + "; select one with --cluster"));
        }
        return clusters.get(0);
    }
}
