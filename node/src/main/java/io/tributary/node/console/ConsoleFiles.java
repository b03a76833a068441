package io.tributary.node.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The static files of the console: all are text, and none contains anything about a node. */
public final class ConsoleFiles {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml; charset=utf-8");

    private static final List<String> NAMES = List.of(
            "index.html",
            "console.css",
            "icon.svg",
            "console.js",
            "stream.js",
            "view.js",
            "topology.js",
            "charts.js",
            "format.js",
            "parts.js",
            "search.js",
            "rows.js",
            "dom.js",
            "merge.js");

    private final Map<String, File> files = new LinkedHashMap<>();

    /**
     * A static file.
     *
     * @param type its content type
     */
    public record File(String type, String text) {}

    /** Reads all files. */
    public ConsoleFiles() {
        for (String name : NAMES) {
            files.put(name, new File(TYPES.get(name.substring(name.lastIndexOf('.') + 1)), text(name)));
        }
    }

    private static String text(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "expected the file " + name + " of the console in the archive, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param name such as {@code console.css}; "" is the page itself */
    public Optional<File> find(String name) {
        return Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name));
    }
}
