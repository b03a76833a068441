package io.tributary.node.command;

import io.tributary.common.config.Config;
import io.tributary.dumper.BinlogConfig;
import io.tributary.node.role.NodeConfig;
import io.tributary.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at the folders that a node would use, and makes none. */
final class Folders {
    private Folders() {}

    /** One line for each folder that cannot be used. */
    static List<String> problems(Config config) {
        List<String> problems = new ArrayList<>();
        NodeConfig node = config.get(NodeConfig.class);
        if (node.keepsFiles()) {
            problem("binlog.directory", config.get(BinlogConfig.class).directory())
                    .ifPresent(problems::add);
        }
        if (node.readsShards()) {
            problem("store.directory", config.get(StoreConfig.class).directory())
                    .ifPresent(problems::add);
        }
        return problems;
    }

    /** Whether a binlog was begun in the configured folder. */
    static boolean hasBinlog(Config config) {
        if (!config.get(NodeConfig.class).keepsFiles()) {
            return false;
        }
        BinlogConfig binlog = config.get(BinlogConfig.class);
        return Files.exists(binlog.directory().resolve(binlog.name() + ".index"));
    }

    private static Optional<String> problem(String key, Path folder) {
        Path there = folder.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there != null && Files.isDirectory(there) && Files.isWritable(there) && Files.isReadable(there)) {
            return Optional.empty();
        }
        return Optional.of(key + ": expected a folder to read and write, or one that can be made, found " + there
                + " | create " + folder + " and give it to the node's user, or name another one");
    }
}
