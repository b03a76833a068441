package io.tributary.serve;

import io.tributary.serve.dump.DumpConfig;
import java.nio.file.Path;

/**
 * The options of the server of readers.
 *
 * @param folder of the users file and of the certificate that the node creates
 * @param version in the greeting and in {@code @@version}, such as {@code 8.0.31-tributary}
 * @param fileBytes size at which a file of the binlog ends
 */
public record ServeOptions(ServeConfig config, DumpConfig dumps, Path folder, String version, long fileBytes) {}
