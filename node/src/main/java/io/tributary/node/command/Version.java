package io.tributary.node.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, which the build writes to a file. */
final class Version implements IVersionProvider {
    static String text() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/tributary/node/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"tributary " + text()};
    }
}
