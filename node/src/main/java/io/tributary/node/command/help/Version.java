package io.tributary.node.command.help;

import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.transmitter.StreamIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, which the build writes to a file, and the versions of what it runs on and speaks. */
public final class Version implements IVersionProvider {
    /** The version alone, such as 0.2.0. */
    public static String text() {
        return built().getProperty("version");
    }

    /** The commit that the program was built from; {@code unknown} if the build did not name it. */
    public static String revision() {
        return built().getProperty("revision");
    }

    private static Properties built() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/tributary/node/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    /** The facts that {@code tributary version} prints: texts by name, in order. */
    public static Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("version", text());
        facts.put("revision", revision());
        facts.put(
                "jvm",
                System.getProperty("java.vm.name") + " " + Runtime.version() + ", "
                        + System.getProperty("java.vendor"));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("protocol.mysql", "10");
        facts.put("protocol.binlog", "4");
        facts.put("protocol.stream", Integer.toString(StreamIdentity.VERSION)); // Task to Dumper, relay to Task
        facts.put("protocol.replicate", Integer.toString(LogIdentity.VERSION)); // leader to follower
        return facts;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"tributary " + text()};
    }
}
