package io.tributary.node.command.support;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PrivateFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The texts of an archive, by name. Each is cut to 4 Mi characters: a log keeps its end, others their beginning. What could not be read is listed in the
 * first file.
 */
final class SupportArchive {
    static final int MOST_CHARS = 4 << 20;

    private final Redaction redaction;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    SupportArchive(Redaction redaction) {
        this.redaction = redaction;
    }

    /** The source of a text. */
    @FunctionalInterface
    interface Source {
        String read() throws IOException, InterruptedException;
    }

    /** Adds a text; a failure to read it is listed, and is none of the command. */
    void add(String name, Source source) throws InterruptedException {
        add(name, source, false);
    }

    /** Adds the end of a log. */
    void addEnd(String name, Source source) throws InterruptedException {
        add(name, source, true);
    }

    private void add(String name, Source source, boolean isEnd) throws InterruptedException {
        try {
            String text = source.read();
            int surplus = Math.max(0, text.length() - MOST_CHARS);
            String cut = isEnd ? text.substring(surplus) : text.substring(0, text.length() - surplus);
            String note = surplus == 0 ? "" : "(" + surplus + " characters were left out)\n";
            texts.put(name, redaction.apply(isEnd ? note + cut : cut + note));
        } catch (IOException e) {
            missing.put(name, e.toString());
        } catch (TributaryException e) {
            missing.put(name, e.line());
        }
    }

    /** What could not be read, and why. */
    Map<String, String> missing() {
        return missing;
    }

    /**
     * Writes the archive, which only its owner may read.
     *
     * @param first lines about the archive
     * @return its size in bytes
     * @throws TributaryException FILE_EXISTS, IO_FAILED
     */
    long write(Path file, String first) {
        if (Files.exists(file)) {
            throw new TributaryException(
                    ErrorCode.FILE_EXISTS, file + ": expected no such file, found one; it is not overwritten");
        }
        try {
            PrivateFile.replace(file, ""); // with its rights before there is anything in it
            try (OutputStream out = Files.newOutputStream(file);
                    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
                put(zip, "README.txt", readme(first));
                for (Map.Entry<String, String> each : texts.entrySet()) {
                    put(zip, each.getKey(), each.getValue());
                }
            }
            return Files.size(file);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, file + ": expected a file that can be written, found " + e, e);
        }
    }

    private String readme(String first) {
        StringBuilder text = new StringBuilder(first);
        texts.forEach((name, content) -> text.append("  ")
                .append(name)
                .append("  ")
                .append(content.length())
                .append('\n'));
        if (!missing.isEmpty()) {
            text.append("missing:\n");
            missing.forEach((name, why) -> text.append("  ")
                    .append(name)
                    .append("  ")
                    .append(redaction.apply(why))
                    .append('\n'));
        }
        return text.toString();
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry("tributary-support/" + name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
