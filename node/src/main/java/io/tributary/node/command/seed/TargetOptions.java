package io.tributary.node.command.seed;

import io.tributary.common.config.HostPort;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.node.command.client.ServerPassword;
import io.tributary.replay.session.Peer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name the server to seed and its account. */
final class TargetOptions {
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(30);

    @Option(names = "--target", paramLabel = "HOST:PORT", description = "The MySQL server to seed. It must be empty.")
    private Optional<String> target;

    @Option(
            names = "--target-user",
            defaultValue = "root",
            paramLabel = "USER",
            description = "An account there with all rights; default ${DEFAULT-VALUE}.")
    private String user;

    @Option(
            names = "--target-password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password; default: the environment variable"
                    + " TRIBUTARY_TARGET_PASSWORD, else the prompt.")
    private Optional<Path> passwordFile;

    /** Whether there is a server to seed. */
    boolean isGiven() {
        return target.isPresent();
    }

    /** The server and its account; the password is asked for if it is not given. */
    Peer peer() {
        HostPort address = HostPort.parse(target.orElseThrow());
        String password = ServerPassword.of(passwordFile, "TRIBUTARY_TARGET_PASSWORD", user + "@" + target.get());
        return Peer.target(Endpoint.of(address.host(), address.port(), user, password), ANSWER_WITHIN);
    }
}
