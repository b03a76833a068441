package io.tributary.store;

import io.tributary.common.config.ByteSize;
import java.nio.file.Path;

/** A store's configuration, with small sizes by default. */
record StoreSetup(
        long memory,
        int segment,
        long transaction,
        long event,
        long disk,
        long tokens,
        Path directory,
        StoreMode mode) {
    static StoreSetup in(Path directory) {
        return new StoreSetup(64 << 10, 4 << 10, 1 << 20, 1 << 20, 64 << 20, 1 << 20, directory, StoreMode.AUTO);
    }

    StoreSetup memory(long bytes) {
        return new StoreSetup(bytes, segment, transaction, event, disk, tokens, directory, mode);
    }

    StoreSetup segment(int bytes) {
        return new StoreSetup(memory, bytes, transaction, event, disk, tokens, directory, mode);
    }

    StoreSetup transaction(long bytes) {
        return new StoreSetup(memory, segment, bytes, event, disk, tokens, directory, mode);
    }

    StoreSetup event(long bytes) {
        return new StoreSetup(memory, segment, transaction, bytes, disk, tokens, directory, mode);
    }

    StoreSetup disk(long bytes) {
        return new StoreSetup(memory, segment, transaction, event, bytes, tokens, directory, mode);
    }

    StoreSetup tokens(long bytes) {
        return new StoreSetup(memory, segment, transaction, event, disk, bytes, directory, mode);
    }

    StoreSetup mode(StoreMode newMode) {
        return new StoreSetup(memory, segment, transaction, event, disk, tokens, directory, newMode);
    }

    StoreConfig config() {
        return new StoreConfig(
                new StoreMemory(new ByteSize(memory), new ByteSize(segment)),
                new SpillLimits(new ByteSize(transaction), new ByteSize(event), 100, new ByteSize(disk)),
                new ByteSize(tokens),
                directory,
                mode);
    }
}
