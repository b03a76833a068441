package io.tributary.common.config;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a configuration file into the records that declare its keys. It reports all problems at once in one
 * {@link TributaryException} {@link ErrorCode#CONFIG_INVALID}, whose message lists line, key, what was expected and what
 * was found; it never contains values of secret keys or values behind placeholders.
 */
public final class ConfigReader {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigReader.class);

    private final List<Class<? extends Record>> types;
    private final Map<String, DeclaredKey> known = new LinkedHashMap<>();
    private final Placeholders placeholders;

    /**
     * @param types records of keys ({@link Key}); several may declare the same key if they agree on type, default and bounds
     * @throws IllegalArgumentException if a declaration itself is wrong
     */
    public ConfigReader(List<Class<? extends Record>> types) {
        this(types, System::getenv);
    }

    /** @param environment returns the value of an environment variable, null if it is not set */
    public ConfigReader(List<Class<? extends Record>> types, UnaryOperator<String> environment) {
        this.types = List.copyOf(types);
        this.placeholders = new Placeholders(environment);
        for (Class<? extends Record> type : types) {
            DeclaredKey.of(type).forEach(this::declare);
        }
    }

    private void declare(DeclaredKey key) {
        DeclaredKey before = known.putIfAbsent(key.name(), key);
        if (before != null && !before.agreesWith(key)) {
            throw new IllegalArgumentException(
                    key.name() + " is declared twice with different type, default or bounds");
        }
    }

    /**
     * Reads all records from a file.
     *
     * @param overrides keys and values that replace those of the file
     * @throws TributaryException CONFIG_INVALID with all problems; also when the file cannot be read
     */
    public Config read(Path file, Map<String, String> overrides) {
        return read(file.toString(), linesOf(file), overrides);
    }

    /** @param source the name of the lines in messages */
    public Config read(String source, List<String> lines, Map<String, String> overrides) {
        return read(new Text(source, lines, overrides), config -> types);
    }

    /**
     * Reads one record first, and then only the records that the first one requires; the file may also contain keys of the others.
     *
     * @param first one of this reader's records
     * @param others returns the required records, from the first one
     */
    public <F extends Record> Config read(
            Path file,
            Map<String, String> overrides,
            Class<F> first,
            Function<F, List<Class<? extends Record>>> others) {
        Text text = new Text(file.toString(), linesOf(file), overrides);
        return read(text, maker -> maker.make(first, "").map(others).orElse(types));
    }

    /**
     * Plaintext passwords that every user of the machine may read: in this file, or in a file that a value of it names. One
     * line for each file; it never contains values.
     *
     * @throws TributaryException CONFIG_INVALID if the file cannot be read
     */
    public List<String> clearSecrets(Path file) {
        List<Setting> secrets = SettingsFile.parse(linesOf(file), new ArrayList<>()).values().stream()
                .filter(setting ->
                        known.values().stream().anyMatch(key -> key.key().secret() && key.matches(setting.key())))
                .toList();
        try {
            return ClearSecrets.problems(file, secrets);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID, file + ": expected a file whose rights can be read, found " + e, e);
        }
    }

    private record Text(String source, List<String> lines, Map<String, String> overrides) {}

    private Config read(Text text, Function<RecordMaker, List<Class<? extends Record>>> wanted) {
        List<String> problems = new ArrayList<>();
        Map<String, Setting> settings = SettingsFile.parse(text.lines, problems);
        text.overrides.forEach((key, value) -> settings.put(key, new Setting(key, value, 0)));
        renameFormerKeys(settings, problems);
        refuseUnknownKeys(settings, problems);
        RecordMaker maker = new RecordMaker(settings, placeholders, problems);
        Map<Class<?>, Record> records = new LinkedHashMap<>();
        List<Class<? extends Record>> made = wanted.apply(maker);
        for (Class<? extends Record> type : made) {
            maker.make(type, "").ifPresent(record -> records.put(type, record));
        }
        if (!problems.isEmpty()) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, message(text.source, problems));
        }
        return new Config(text.source, records, new EffectiveSettings(settings, placeholders).of(made));
    }

    private static List<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID, file + ": expected a readable text file, found " + e, e);
        }
    }

    private void renameFormerKeys(Map<String, Setting> settings, List<String> problems) {
        for (DeclaredKey key : known.values()) {
            String former = key.key().formerly();
            Setting setting = former.isEmpty() ? null : settings.remove(former);
            if (setting == null) {
                continue;
            }
            if (settings.containsKey(key.name())) {
                problems.add(setting.where() + ": " + former + " is the former name of " + key.name()
                        + ", expected one of them, found both");
                continue;
            }
            settings.put(key.name(), new Setting(key.name(), setting.text(), setting.line()));
            LOG.warn(
                    "configuration key has a new name: found={} use={} at=\"{}\"", former, key.name(), setting.where());
        }
    }

    private void refuseUnknownKeys(Map<String, Setting> settings, List<String> problems) {
        for (Setting setting : settings.values()) {
            if (known.values().stream().noneMatch(key -> key.matches(setting.key()))) {
                problems.add(setting.where() + ": unknown key"
                        + NearestKey.to(setting.key(), known.values())
                                .map(near -> "; did you mean " + near + "?")
                                .orElse(""));
            }
        }
    }

    private static String message(String source, List<String> problems) {
        List<String> distinct = problems.stream().distinct().toList();
        return distinct.size() == 1
                ? source + ": " + distinct.get(0)
                : source + ": " + distinct.size() + " problems:\n  " + String.join("\n  ", distinct) + "\n";
    }
}
