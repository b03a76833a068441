package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.BackupConfig;
import io.tributary.binlog.PurgeConfig;
import io.tributary.collector.CollectorConfig;
import io.tributary.collector.rows.DdlRows;
import io.tributary.collector.rows.MixedRows;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.ConfigReload;
import io.tributary.transmitter.TransmitConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A configuration file that is read again while the node runs. */
class LiveConfigTest {
    private final ConfigReader reader =
            new ConfigReader(List.of(PurgeConfig.class, BackupConfig.class, TransmitConfig.class));
    private final List<Long> purgeSizes = new ArrayList<>();
    private List<String> file = List.of("binlog.purge.size = 1MiB");
    private final LiveConfig live = new LiveConfig(read(), this::read, this::onChange);

    private Config read() {
        return reader.read("tributary.properties", file, Map.of());
    }

    private void onChange(Config newer) {
        purgeSizes.add(newer.get(PurgeConfig.class).size().bytes());
    }

    @Test
    void liveKeysChangeAtOnceAndOthersWaitUntilTheyAreReset() {
        assertEquals(new ConfigReload.Outcome(List.of(), List.of()), live.reload());
        file = List.of("binlog.purge.size = 2MiB", "transmit.stream = other", "grpc.tls.name = node");
        assertEquals(
                new ConfigReload.Outcome(List.of("binlog.purge.size"), List.of("grpc.tls.name", "transmit.stream")),
                live.reload());
        assertEquals(List.of(2L << 20), purgeSizes);
        assertEquals(
                new ConfigReload.Outcome(List.of(), List.of("grpc.tls.name", "transmit.stream")),
                live.reload(),
                "it still differs from the file");
        assertEquals(1, purgeSizes.size());
        file = List.of("binlog.purge.size = 1MiB");
        assertEquals(new ConfigReload.Outcome(List.of("binlog.purge.size"), List.of()), live.reload());
        assertEquals(List.of(2L << 20, 1L << 20), purgeSizes);
    }

    @Test
    void theRunningConfigurationHasTheLiveKeysOfTheFileAndTheOthersOfTheStart() {
        file = List.of("binlog.purge.size = 2MiB", "transmit.stream = other", "backup.directory = b");
        LiveConfig secret = new LiveConfig(read(), this::read, this::onChange);
        file = List.of("binlog.purge.size = 3MiB", "transmit.stream = third", "backup.directory = b");
        assertEquals("2MiB", value(secret, "binlog.purge.size"));
        secret.reload();
        assertEquals("3MiB", value(secret, "binlog.purge.size"));
        assertEquals("other", value(secret, "transmit.stream"));
        assertEquals("", secret.running().orElseThrow().problem());
        file = List.of("transmit.streams = third");
        assertTrue(secret.running().orElseThrow().problem().contains("unknown key"));
        assertEquals("3MiB", value(secret, "binlog.purge.size"), "what runs does not depend on the file");
    }

    private static String value(LiveConfig config, String key) {
        return config.running().orElseThrow().settings().stream()
                .filter(setting -> setting.key().equals(key))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** One record has keys of both kinds. */
    @Test
    void aKeyThatNeedsARestartDoesNotChangeTogetherWithALiveOne() {
        AtomicReference<BackupConfig> taken = new AtomicReference<>();
        LiveConfig both = new LiveConfig(read(), this::read, newer -> taken.set(newer.get(BackupConfig.class)));
        file = List.of("binlog.purge.size = 1MiB", "backup.prefix = other", "backup.throttle = 1MiB");
        assertEquals(new ConfigReload.Outcome(List.of("backup.throttle"), List.of("backup.prefix")), both.reload());
        assertEquals(1L << 20, taken.get().throttle().bytes());
        assertEquals(
                reader.read("", List.of(), Map.of()).get(BackupConfig.class).prefix(),
                taken.get().prefix());
    }

    @Test
    void aFileWithAProblemChangesNothing() {
        file = List.of("binlog.purge.size = 2MiB", "transmit.streams = other");
        assertThrows(TributaryException.class, live::reload);
        assertEquals(List.of(), purgeSizes);
        file = List.of("binlog.purge.size = 2MiB");
        assertEquals(new ConfigReload.Outcome(List.of("binlog.purge.size"), List.of()), live.reload());
    }

    @Test
    void theKeysOfMixedRowsChangeAtOnce() {
        ConfigReader collecting = new ConfigReader(List.of(CollectorConfig.class));
        AtomicReference<List<String>> lines = new AtomicReference<>(List.of());
        AtomicReference<DdlRows> taken = new AtomicReference<>();
        Supplier<Config> read = () -> collecting.read("tributary.properties", lines.get(), Map.of());
        LiveConfig both = new LiveConfig(
                read.get(),
                read,
                newer -> taken.set(newer.get(CollectorConfig.class).ddl().rows()));
        lines.set(List.of("ddl.rows.pass = shop.a, shop.b", "ddl.wait = 0s"));
        assertEquals(new ConfigReload.Outcome(List.of("ddl.rows.pass"), List.of("ddl.wait")), both.reload());
        assertEquals(
                new DdlRows(MixedRows.RESHAPE, Map.of("shop.a", MixedRows.PASS, "shop.b", MixedRows.PASS)),
                taken.get());
        lines.set(List.of("ddl.rows = pass"));
        assertEquals(new ConfigReload.Outcome(List.of("ddl.rows", "ddl.rows.pass"), List.of()), both.reload());
        assertEquals(new DdlRows(MixedRows.PASS, Map.of()), taken.get());
        lines.set(List.of("ddl.rows.pass = shop"));
        assertThrows(TributaryException.class, both::reload);
    }
}
