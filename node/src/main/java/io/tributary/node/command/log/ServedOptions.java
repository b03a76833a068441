package io.tributary.node.command.log;

import io.tributary.common.config.HostPort;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.node.command.client.ServerPassword;
import io.tributary.replay.session.Peer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name the MySQL port of a running node, and the account with which its binlog is read there. */
final class ServedOptions {
    private static final String VARIABLE = "TRIBUTARY_SOURCE_PASSWORD";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--source",
            paramLabel = "HOST:PORT",
            description = {
                "Reads the binlog of a running node through its MySQL port instead of its files: from any machine, without a",
                "configuration file, and also what the node has purged, if its backup has it."
            })
    private Optional<String> source;

    @Option(
            names = "--source-user",
            paramLabel = "USER",
            defaultValue = "tributary",
            description =
                    "The account for --source, with the rights of a replica. If it may read only some tables, only their"
                            + " changes are shown. Default: ${DEFAULT-VALUE}.")
    private String user;

    @Option(
            names = "--source-password-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is its password. Without it, the password is in the environment variable "
                            + VARIABLE + ", or it is asked for: at a terminal, else the first line of standard input.")
    private Optional<Path> passwordFile;

    @Option(
            names = "--source-tls",
            paramLabel = "MODE",
            defaultValue = "preferred",
            description = "How the connection uses TLS, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private TlsMode tls;

    /** Whether a node is named. */
    boolean isGiven() {
        return source.isPresent();
    }

    /** The node that is named. */
    Peer node() {
        try {
            HostPort address = HostPort.parse(source.orElseThrow());
            String password = ServerPassword.of(passwordFile, VARIABLE, user + "@" + address);
            return Peer.node(
                    Endpoint.of(address.host(), address.port(), user, password).with(tls), TIMEOUT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--source: " + e.getMessage(), e);
        }
    }
}
