package io.tributary.node.command;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.node.role.NodeConfig;
import io.tributary.store.StoreConfig;
import io.tributary.tso.TsoConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The check of the directories that a node would use. It leaves no files behind. */
final class DirectoryCheck {
    private DirectoryCheck() {}

    /** One line for each directory that cannot be used. */
    static List<String> problems(Config config) {
        List<String> problems = new ArrayList<>();
        NodeConfig node = config.get(NodeConfig.class);
        if (node.keepsFiles()) {
            problem("binlog.directory", config.get(BinlogConfig.class).directory())
                    .ifPresent(problems::add);
        }
        if (config.get(TsoConfig.class).enabled()) {
            problem("tso.directory", config.get(TsoConfig.class).directory()).ifPresent(problems::add);
        }
        if (node.readsShards()) {
            problem("store.directory", config.get(StoreConfig.class).directory())
                    .ifPresent(problems::add);
        }
        return problems;
    }

    private static Optional<String> problem(String key, Path folder) {
        Path there = folder.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        Optional<String> why = there == null ? Optional.of("none") : unusable(there, folder);
        return why.map(found -> key + ": expected a directory to read and write, or one that can be created, found "
                + found + " | create " + folder + " with the node's user as its owner, or configure another one");
    }

    /** Creates a directory to test it: for root, the permissions do not show problems such as a read-only file system. */
    private static Optional<String> unusable(Path there, Path folder) {
        if (!Files.isDirectory(there) || !Files.isWritable(there) || !Files.isReadable(there)) {
            return Optional.of(there.toString());
        }
        try {
            Files.delete(Files.createTempDirectory(there, ".tributary-check"));
            return there.equals(folder.toAbsolutePath()) ? unusableFile(there) : Optional.empty();
        } catch (IOException e) {
            return Optional.of(there + ": " + e);
        }
    }

    /** A file in the directory that belongs to another user, for example because a command was run as root. */
    private static Optional<String> unusableFile(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isRegularFile)
                    .filter(file -> !Files.isReadable(file) || !Files.isWritable(file))
                    .filter(Files::exists) // a node that runs here may have deleted it
                    .map(Path::toString)
                    .sorted()
                    .findFirst();
        }
    }
}
