package io.tributary.mysql.protocol.compress;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.tributary.mysql.protocol.Capabilities;
import java.util.Locale;
import java.util.Optional;

/** The algorithms of compressed connections. */
public enum Compression {
    ZLIB,
    ZSTD;

    /** The algorithm of a login; as in MySQL, zlib if the client has chosen both. */
    public static Optional<Compression> of(int capabilities) {
        if (has(capabilities, Capabilities.COMPRESS)) {
            return Optional.of(ZLIB);
        }
        return has(capabilities, Capabilities.ZSTD_COMPRESSION) ? Optional.of(ZSTD) : Optional.empty();
    }

    /** The name in status variables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @param level that of the client, for zstd; more than 6 counts as 6: it would delay the other readers of the event loop */
    BlockCodec codec(int level) {
        return this == ZLIB ? new ZlibCodec() : new ZstdCodec(Math.max(1, Math.min(6, level)));
    }
}
