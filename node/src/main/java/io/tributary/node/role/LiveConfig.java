package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.common.config.Key;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.ConfigReload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Current configuration of a running node: live keys change when its file is read again, all others at the next start. */
final class LiveConfig implements ConfigReload {
    private final Config started;
    private final Supplier<Config> file;
    private final Consumer<Config> onChange;
    private Config current; // its live keys are in use

    /**
     * @param file reads the file as it is now
     * @param onChange receives a configuration in which only live keys differ from the current one
     */
    LiveConfig(Config started, Supplier<Config> file, Consumer<Config> onChange) {
        this.started = started;
        this.file = file;
        this.onChange = onChange;
        this.current = started;
    }

    @Override
    public synchronized Outcome reload() {
        Config now = file.get();
        List<String> live = current.differences(now, Key::live);
        if (!live.isEmpty()) {
            current = started.with(now, Key::live);
            onChange.accept(current);
        }
        return new Outcome(live, started.differences(now, key -> !key.live()));
    }

    @Override
    public synchronized Optional<Running> running() {
        String path = Path.of(current.source()).toAbsolutePath().toString();
        try {
            return Optional.of(new Running(path, current.settings(), current.differences(file.get(), Key::secret), ""));
        } catch (TributaryException e) {
            return Optional.of(new Running(path, current.settings(), List.of(), e.line()));
        }
    }
}
