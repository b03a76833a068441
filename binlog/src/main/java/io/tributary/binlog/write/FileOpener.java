package io.tributary.binlog.write;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens the files that are written. A test passes channels that fail. */
@FunctionalInterface
public interface FileOpener {
    FileOpener SYSTEM = FileChannel::open;

    FileChannel open(Path path, OpenOption... options) throws IOException;
}
