package io.tributary.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Debian 12's percona-toolkit with its own Perl, unpacked once into the user's cache; nothing is installed. Only tests run it, and no
 * part of it is in the repository.
 */
public final class PerconaToolkit {
    private static final String LIBRARIES = "usr/lib/x86_64-linux-gnu";
    private static final List<String> MODULES = List.of(
            "usr/share/perl5",
            LIBRARIES + "/perl5/5.36",
            LIBRARIES + "/perl-base",
            LIBRARIES + "/perl/5.36",
            "usr/share/perl/5.36");

    private final Path folder;

    private PerconaToolkit(Path folder) {
        this.folder = folder;
    }

    /** The unpacked toolkit; apt downloads it at its first use. Throws if this is not possible. */
    public static PerconaToolkit cached() {
        return new PerconaToolkit(CacheFolder.ofUser()
                .entry(
                        "percona-toolkit-3.2.1",
                        into -> DebianPackages.unpack(into, "bookworm", List.of("percona-toolkit"), List.of())));
    }

    /** The beginning of a command line that runs one of its programs, such as {@code pt-online-schema-change}. */
    public List<String> program(String name) {
        List<String> command = new ArrayList<>(DebianPackages.program(folder, folder.resolve("usr/bin/perl")));
        command.add(folder.resolve("usr/bin").resolve(name).toString());
        return command;
    }

    /** The environment that its programs need. */
    public Map<String, String> environment() {
        return Map.of(
                "PERL5LIB",
                MODULES.stream()
                        .map(module -> folder.resolve(module).toString())
                        .collect(Collectors.joining(":")));
    }
}
