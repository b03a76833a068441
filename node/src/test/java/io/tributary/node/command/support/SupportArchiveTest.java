package io.tributary.node.command.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupportArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void aLogKeepsItsEndAndEveryTextIsBounded() throws Exception {
        SupportArchive archive = new SupportArchive(new Redaction(List.of()));
        archive.add("page", () -> "begin" + "x".repeat(SupportArchive.MOST_CHARS));
        archive.addEnd("log", () -> "x".repeat(SupportArchive.MOST_CHARS) + "end");
        archive.add("gone", () -> {
            throw new NoSuchFileException("nowhere");
        });
        Path file = folder.resolve("support.zip");
        long bytes = archive.write(file, "first line\n");
        assertEquals(Files.size(file), bytes);
        assertTrue(bytes < 100_000, "it is compressed");
        assertTrue(text(file, "page").startsWith("begin"));
        assertTrue(text(file, "page").endsWith("(5 characters were left out)\n"));
        assertTrue(text(file, "log").startsWith("(3 characters were left out)\n"));
        assertTrue(text(file, "log").endsWith("xend"));
        String readme = text(file, "README.txt");
        assertTrue(readme.startsWith("first line\n") && readme.contains("gone  java.nio"), readme);

        TributaryException refused = assertThrows(TributaryException.class, () -> archive.write(file, ""));
        assertEquals(ErrorCode.FILE_EXISTS, refused.code());
    }

    private static String text(Path file, String name) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return new String(
                    zip.getInputStream(zip.getEntry("tributary-support/" + name))
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
