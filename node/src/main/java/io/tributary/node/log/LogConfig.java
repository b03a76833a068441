package io.tributary.node.log;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of the log. */
public record LogConfig(
        @Key(
                value = "log.format",
                byDefault = "text",
                about = "Form of the log: text, lines for people, or json, one JSON object in each line"
                        + " (docs/operations.md, \"Logs\").")
        Format format,

        @Key(
                value = "log.file",
                about = "File of the log, which the node rotates by itself; not set: the log is written to"
                        + " stderr. Lines from before the configuration is read are on stderr.")
        Optional<Path> file,

        @Key(
                value = "log.file.max",
                byDefault = "64MiB",
                min = "64KiB",
                max = "16GiB",
                about = "Before log.file becomes larger than this, it is renamed to log.file with .1 at the end,"
                        + " .1 to .2, and so on.")
        ByteSize most,

        @Key(
                value = "log.files",
                byDefault = "10",
                min = "1",
                max = "1000",
                about = "How many files of the log exist at most, with the one that is written; older ones are"
                        + " deleted.")
        int files,

        @Key(
                value = "log.compress",
                byDefault = "true",
                about =
                        "Whether the files from log.file with .2 at the end on are compressed with gzip (.2.gz and so on);"
                                + " .1 is not.")
        boolean compress) {
    /** The forms of a log. */
    public enum Format {
        TEXT,
        JSON
    }
}
