package io.tributary.common.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    enum Sync {
        ALWAYS,
        ONCE_A_WHILE
    }

    record Member(
            @Key(value = "host", required = true, about = "Host.")
            String host,

            @Key(value = "port", byDefault = "3306", min = "1", max = "65535", about = "Port.")
            int port,

            @Key(value = "password", byDefault = "", secret = true, about = "Password.")
            Secret password) {}

    record Nested(
            @Key(value = "server.id", byDefault = "7", about = "Id.")
            long serverId) {}

    record Sample(
            @Key(value = "binlog.sync", byDefault = "always", about = "When to sync.")
            Sync sync,

            @Key(value = "binlog.size", byDefault = "512MiB", min = "1MiB", max = "1GiB", about = "Size.")
            ByteSize size,

            @Key(value = "pause", byDefault = "50ms", min = "1ms", about = "Pause.")
            Duration pause,

            @Key(value = "dir", byDefault = "data", about = "Folder.")
            Path dir,

            @Key(value = "names", byDefault = "", about = "Names.")
            List<String> names,

            @Key(value = "pattern", byDefault = "", about = "Pattern.")
            Optional<Pattern> pattern,

            @Key(value = "loud", formerly = "noisy", byDefault = "false", about = "Loud.")
            boolean loud,

            Nested nested,

            @Key(value = "shard", required = true, about = "Shards.")
            Map<String, Member> shards) {
        Sample {
            if (sync == Sync.ONCE_A_WHILE && pause.toMillis() == 50) {
                throw new IllegalArgumentException("binlog.sync: expected a pause of its own with once-a-while");
            }
        }
    }

    record Other(
            @Key(value = "server.id", byDefault = "7", about = "The same.")
            long serverId) {}

    record Quarrel(
            @Key(value = "server.id", byDefault = "8", about = "Not the same.")
            long serverId) {}

    record Careless(
            @Key(value = "word", byDefault = "", secret = true, about = "Word.")
            String word) {}

    private static final String ONE_SHARD = "shard.s1.host = db1";

    private static Config read(String... lines) {
        return new ConfigReader(List.of(Sample.class, Other.class), name -> name.equals("PASSWORD") ? "pa$$word" : null)
                .read("test", List.of(lines), Map.of());
    }

    private static String problems(String... lines) {
        TributaryException thrown = assertThrows(TributaryException.class, () -> read(lines));
        assertEquals(ErrorCode.CONFIG_INVALID, thrown.code());
        return thrown.getMessage();
    }

    @Test
    void theEffectiveSettingsHaveTheirOriginsAndNoSecrets() {
        record Shards(
                @Key(value = "shard", about = "Shards.") Map<String, Member> shards) {}
        ConfigReader reader =
                new ConfigReader(List.of(Nested.class, Shards.class), Map.of("HOST", "db1", "WORD", "geheim")::get);
        Config config = reader.read(
                "file",
                List.of("# comment", "shard.a.host = ${env:HOST}.example", "shard.a.password = ${env:WORD}"),
                Map.of("server.id", "9"));
        assertEquals(
                List.of(
                        "server.id=9 (command line)",
                        "shard.a.host=db1.example (line 2, environment HOST)",
                        "shard.a.port=3306 (default)",
                        "shard.a.password=*** (line 3, environment WORD)"),
                config.settings().stream()
                        .map(each -> each.key() + "=" + each.value() + " (" + each.origin() + ")")
                        .toList());
        assertEquals("file", config.source());
        Config bare = reader.read("file", List.of("shard.b.host = h"), Map.of());
        assertEquals("", bare.settings().get(3).value(), "a secret that is not set is not shown as if it were");
    }

    @Test
    void fillsInDefaults() {
        Sample sample = read(ONE_SHARD).get(Sample.class);
        assertEquals(Sync.ALWAYS, sample.sync());
        assertEquals(512L << 20, sample.size().bytes());
        assertEquals(Duration.ofMillis(50), sample.pause());
        assertEquals(Path.of("data"), sample.dir());
        assertEquals(List.of(), sample.names());
        assertEquals(Optional.empty(), sample.pattern());
        assertEquals(7, sample.nested().serverId());
        assertEquals(3306, sample.shards().get("s1").port());
    }

    @Test
    void readsEveryTypeAndKeepsTheOrderOfAFamily() {
        Sample sample = read(
                        "# a comment",
                        "binlog.sync=once-a-while",
                        "binlog.size = 2MiB",
                        "pause = 3s",
                        "names = a, b,c",
                        "pattern = ^x_\\d+=(.*)$",
                        "loud = true",
                        "server.id = 9",
                        "shard.zeta.host = z",
                        "shard.alpha.host = a",
                        "shard.zeta.port = 1")
                .get(Sample.class);
        assertEquals(Sync.ONCE_A_WHILE, sample.sync());
        assertEquals(List.of("a", "b", "c"), sample.names());
        assertEquals("^x_\\d+=(.*)$", sample.pattern().orElseThrow().pattern());
        assertTrue(sample.loud());
        assertEquals(List.of("zeta", "alpha"), List.copyOf(sample.shards().keySet()));
    }

    @Test
    void severalRecordsMayShareAKeyWhenTheyAgree() {
        Config config = read(ONE_SHARD, "server.id = 11");
        assertEquals(11, config.get(Other.class).serverId());
        assertEquals(11, config.get(Sample.class).nested().serverId());
        assertThrows(IllegalArgumentException.class, () -> new ConfigReader(List.of(Other.class, Quarrel.class)));
    }

    @Test
    void listsAllProblemsAtOnceWithTheirLines() {
        String message = problems(
                "binlog.sync = sometimes",
                "binlog.size = 2GiB",
                "pause = soon",
                "shard.s1.port = 70000",
                "no equals sign",
                "loud = yes",
                "loud = true");
        assertEquals("""
                test: 8 problems:
                  line 5: expected 'key = value', found a line without a key or without '='
                  line 7: loud: expected each key once, it is also set in line 6
                  line 1: binlog.sync: expected one of always, once-a-while, found 'sometimes'
                  line 2: binlog.size: expected a size such as 64KiB or 512MiB, from 1MiB to 1GiB, found '2GiB'
                  line 3: pause: expected a duration such as 50ms, 3s, 5min, 1h or 1d, from 1ms, found 'soon'
                  line 6: loud: expected true or false, found 'yes'
                  shard.s1.host: expected a text, found no such line: Host.
                  line 4: shard.s1.port: expected a whole number, from 1 to 65535, found '70000'
                """, message);
    }

    @Test
    void refusesAnUnknownKeyAndNamesTheNearest() {
        assertEquals(
                "test: line 2: binlog.snyc: unknown key; did you mean binlog.sync?",
                problems(ONE_SHARD, "binlog.snyc = always"));
        assertEquals(
                "test: line 2: shard.s1.prot: unknown key; did you mean shard.s1.port?",
                problems(ONE_SHARD, "shard.s1.prot = 1"));
        assertEquals("test: line 2: something.else: unknown key", problems(ONE_SHARD, "something.else = 1"));
    }

    @Test
    void acceptsTheFormerNameOfAKeyButNotBothNames() {
        assertTrue(read(ONE_SHARD, "noisy = true").get(Sample.class).loud());
        assertEquals(
                "test: line 3: noisy: noisy is the former name of loud, expected one of them, found both",
                problems(ONE_SHARD, "loud = true", "noisy = true"));
    }

    @Test
    void requiresAMemberOfARequiredFamily() {
        assertEquals("test: shard.<name>: expected at least one, found none: Shards.", problems());
    }

    @Test
    void reportsWhatARecordItselfRefuses() {
        assertEquals(
                "test: binlog.sync: expected a pause of its own with once-a-while",
                problems(ONE_SHARD, "binlog.sync = once-a-while"));
    }

    @Test
    void takesValuesFromEnvironmentAndFiles(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "from file\n");
        Sample sample = read(
                        "shard.s1.host = ${env:PASSWORD}.example",
                        "shard.s1.password = ${env:PASSWORD}",
                        "shard.s2.host = b",
                        "shard.s2.password = ${file:" + file + "}")
                .get(Sample.class);
        assertEquals("pa$$word.example", sample.shards().get("s1").host());
        assertEquals("pa$$word", sample.shards().get("s1").password().reveal());
        assertEquals("from file", sample.shards().get("s2").password().reveal());
    }

    @Test
    void namesAPlaceholderWithoutAValue() {
        assertEquals(
                "test: line 1: shard.s1.host: expected the environment variable NOPE to be set, found '${env:NOPE}'",
                problems("shard.s1.host = ${env:NOPE}"));
        assertTrue(problems("shard.s1.host = ${file:/nowhere/at/all}")
                .contains("expected the file /nowhere/at/all to be readable"));
    }

    @Test
    void neverPrintsTheValueOfAPlaceholder() {
        assertFalse(problems(ONE_SHARD, "shard.s1.port = ${env:PASSWORD}").contains("pa$$word"));
    }

    @Test
    void neverPrintsTheTextBesideAPlaceholderInASecret() {
        assertEquals(
                "test: line 2: shard.s1.password: expected the environment variable NOPE to be set,"
                        + " found a value that is not shown, with ${env:NOPE}",
                problems(ONE_SHARD, "shard.s1.password = abc${env:NOPE}"));
        assertTrue(problems(ONE_SHARD, "shard.s1.password = ${env:NOPE}").endsWith("found '${env:NOPE}'"));
    }

    @Test
    void secretsNeverPrint() {
        Sample sample = read(ONE_SHARD, "shard.s1.password = hidden").get(Sample.class);
        assertFalse(sample.toString().contains("hidden"), sample.toString());
        assertThrows(IllegalArgumentException.class, () -> new ConfigReader(List.of(Careless.class)));
    }

    @Test
    void overridesWinOverTheFile() {
        Config config = new ConfigReader(List.of(Sample.class))
                .read("test", List.of(ONE_SHARD, "loud = false"), Map.of("loud", "true"));
        assertTrue(config.get(Sample.class).loud());
    }

    @Test
    void namesAFileThatCannotBeRead() {
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> new ConfigReader(List.of(Sample.class)).read(Path.of("/nowhere.properties"), Map.of()));
        assertTrue(thrown.line().startsWith("CONFIG_INVALID: /nowhere.properties: expected a readable text file"));
    }

    @Test
    void oneRecordSelectsTheOthersThatAreRead(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("conf"), "server.id = 3\nbinlog.sync = always\n");
        ConfigReader reader = new ConfigReader(List.of(Other.class, Sample.class));
        Config config = reader.read(file, Map.of(), Other.class, other -> List.of(Other.class));
        assertEquals(3, config.get(Other.class).serverId());
        assertThrows(
                TributaryException.class,
                () -> reader.read(file, Map.of(), Other.class, other -> List.of(Other.class, Sample.class)));
    }

    @Test
    void thePageHasEveryKeyOnce() {
        String page = ConfigPage.markdown(Map.of("All", List.of(Sample.class, Other.class)));
        assertTrue(page.contains("| `binlog.sync` | one of always, once-a-while | `always` | When to sync. |"), page);
        assertTrue(page.contains("| `shard.<name>.host` | a text | required | Host. |"), page);
        assertEquals(page.indexOf("`server.id`"), page.lastIndexOf("`server.id`"));
    }
}
