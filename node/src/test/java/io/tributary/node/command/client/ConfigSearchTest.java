package io.tributary.node.command.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigSearchTest {
    @TempDir
    private Path folder;

    @Test
    void theOptionIsBeforeTheEnvironmentAndThisBeforeTheUsualPlace() throws IOException {
        Path usual = folder.resolve("usual");
        Path given = Path.of("given");
        Map<String, String> environment = Map.of(ConfigSearch.VARIABLE, "named");
        assertEquals(Optional.of(given), new ConfigSearch(environment::get, usual).file(given));
        assertEquals(Optional.of(Path.of("named")), new ConfigSearch(environment::get, usual).file(null));
        ConfigSearch empty = new ConfigSearch(Map.of(ConfigSearch.VARIABLE, " ")::get, usual);
        assertEquals(Optional.empty(), empty.file(null));
        assertEquals(Optional.of(usual), new ConfigSearch(name -> null, Files.createFile(usual)).file(null));
    }
}
