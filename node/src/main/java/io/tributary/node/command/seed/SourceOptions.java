package io.tributary.node.command.seed;

import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.node.command.client.ServerPassword;
import io.tributary.node.replica.StreamServers;
import io.tributary.serve.ServeConfig;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name the node's MySQL port and accounts; by default those of the configuration. */
final class SourceOptions {
    @Option(
            names = "--source",
            paramLabel = "HOST:PORT",
            description = "The node's MySQL port as the target reaches it; default: serve.listen of the configuration.")
    private Optional<String> source;

    @Option(
            names = "--source-user",
            paramLabel = "USER",
            description =
                    "The account with which the target replicates; default: serve.user. If it may read only some tables"
                            + " (tributary user --tables), give --tables the same list.")
    private Optional<String> user;

    @Option(
            names = "--source-password-file",
            paramLabel = "FILE",
            description = "A file whose first line is its password; default: the environment variable"
                    + " TRIBUTARY_SOURCE_PASSWORD, else serve.password for serve.user, else the prompt.")
    private Optional<Path> passwordFile;

    /** The node's port and the account for replication, as the target reaches it. */
    Endpoint source(Config config) {
        ServeConfig serve = config.get(ServeConfig.class);
        HostPort address = source.map(HostPort::parse).orElse(serve.listen());
        if (StreamServers.isAny(address)) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "--source: expected the address of the node as the target reaches it, because serve.listen is "
                            + address + ", found none");
        }
        String name = user.orElse(serve.user());
        boolean isOwn = name.equals(serve.user())
                && passwordFile.isEmpty()
                && serve.password().isPresent();
        String password = isOwn
                ? serve.password().get().reveal()
                : ServerPassword.of(passwordFile, "TRIBUTARY_SOURCE_PASSWORD", name + "@" + address);
        return Endpoint.of(address.host(), address.port(), name, password);
    }
}
