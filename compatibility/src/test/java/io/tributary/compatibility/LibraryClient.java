package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;

/** A client of the JVM that runs in this process. */
record LibraryClient(String name, String version, String mode, String settings, Compared compared, Reader reader)
        implements Client {
    /** Reads a source. */
    @FunctionalInterface
    interface Reader {
        Reading of(Source source) throws Exception;
    }

    @Override
    public Reading read(Source source) throws Exception {
        return reader.of(source);
    }
}
