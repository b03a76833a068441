package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.common.config.Key;
import io.tributary.node.admin.Reloading;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The configuration that a running node goes by: some keys change when its file is read again, all others with the next start. */
final class LiveConfig implements Reloading {
    private final Config started;
    private final Supplier<Config> file;
    private final Consumer<Config> take;
    private Config taken; // its live keys count

    /**
     * @param file reads the file as it stands now
     * @param take told a configuration whose live keys are others, and only those
     */
    LiveConfig(Config started, Supplier<Config> file, Consumer<Config> take) {
        this.started = started;
        this.file = file;
        this.take = take;
        this.taken = started;
    }

    @Override
    public synchronized Outcome reload() {
        Config now = file.get();
        List<String> live = taken.differences(now, Key::live);
        if (!live.isEmpty()) {
            taken = started.with(now, Key::live);
            take.accept(taken);
        }
        return new Outcome(live, started.differences(now, key -> !key.live()));
    }
}
