package io.tributary.node.command.seed;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.node.command.client.ServerPassword;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name a replica and the account on it. */
class ReplicaAccount {
    private static final String VARIABLE = "TRIBUTARY_REPLICA_PASSWORD";

    @Option(names = "--replica", required = true, paramLabel = "HOST:PORT", description = "The replica.")
    private String address;

    @Option(
            names = "--replica-user",
            paramLabel = "NAME",
            defaultValue = "tributary",
            description =
                    "The account on the replica. It needs SELECT ON *.*, and more for --repair=run: INSERT, DELETE,"
                            + " SESSION_VARIABLES_ADMIN. Default: ${DEFAULT-VALUE}.")
    private String user;

    @Option(
            names = "--replica-password-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is the password. Without it, the password is in the environment variable "
                            + VARIABLE + ", or it is asked for: at a terminal, else the first line of standard input.")
    private Path passwordFile;

    @Option(
            names = "--replica-tls",
            paramLabel = "MODE",
            defaultValue = "preferred",
            description = "How the connection uses TLS, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private TlsMode tls;

    /**
     * Address and account.
     *
     * @throws TributaryException CONFIG_INVALID for an address that is none, TARGET_LOGIN_REFUSED without a password
     */
    Endpoint endpoint() {
        try {
            HostPort parsed = HostPort.parse(address);
            String password = ServerPassword.of(Optional.ofNullable(passwordFile), VARIABLE, user + "@" + address);
            return Endpoint.of(parsed.host(), parsed.port(), user, password).with(tls);
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, "--replica: " + e.getMessage(), e);
        }
    }
}
