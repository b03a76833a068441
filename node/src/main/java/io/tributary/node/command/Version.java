package io.tributary.node.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Version and revision of the program, which the build writes to a file. */
final class Version implements IVersionProvider {
    static String text() {
        return property("version");
    }

    /** The commit that the program was built from; {@code unknown} if the build did not name it. */
    static String revision() {
        return property("revision");
    }

    private static String property(String name) {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/tributary/node/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty(name);
    }

    @Override
    public String[] getVersion() {
        return new String[] {"tributary " + text()};
    }
}
