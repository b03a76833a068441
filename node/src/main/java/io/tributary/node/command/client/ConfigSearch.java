package io.tributary.node.command.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The search of the configuration file of a command: the option, then the environment, then the usual place. */
final class ConfigSearch {
    /** The variable of the environment. */
    static final String VARIABLE = "TRIBUTARY_CONFIG";

    /** The usual place, where the packages install it. */
    static final String USUAL = "/etc/tributary/tributary.properties";

    private final UnaryOperator<String> environment;
    private final Path usual;

    /** @param environment returns the value of a variable, null if it is not set */
    ConfigSearch(UnaryOperator<String> environment, Path usual) {
        this.environment = environment;
        this.usual = usual;
    }

    /**
     * The file; a file that the option or the environment names need not exist, so that its absence is reported.
     *
     * @param given the file of the option, or null
     */
    Optional<Path> file(Path given) {
        if (given != null) {
            return Optional.of(given);
        }
        String named = environment.apply(VARIABLE);
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named.strip()));
        }
        return Files.exists(usual) ? Optional.of(usual) : Optional.empty();
    }

    /** The message if there is none: the places, in their order. */
    String notFound() {
        return "expected a configuration file, found none: the option -c (--config) is not given, the environment variable "
                + VARIABLE + " is not set, and " + usual
                + " does not exist | name the file with -c FILE, or write one with `tributary init`";
    }
}
