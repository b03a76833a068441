package io.tributary.node.command;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.serve.ServeConfig;
import io.tributary.dumper.users.UserEntry;
import io.tributary.dumper.users.UsersFile;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who may log in to a node; a running node sees each change at the next login. */
@Command(
        name = "user",
        description = "Manages the users with which readers log in; a running node needs no restart.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UserCommand.Add.class,
            UserCommand.Remove.class,
            UserCommand.ListUsers.class,
            UserCommand.Passwd.class
        })
final class UserCommand {
    /** Makes a user. */
    @Command(
            name = "add",
            description = {
                "Makes a user.",
                "The password is asked for, or read from the first line of standard input; it never stands in the command."
            },
            mixinStandardHelpOptions = true)
    static final class Add implements Callable<Integer> {
        @Mixin
        private UsersPlace place;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Option(
                names = "--rights",
                split = ",",
                defaultValue = "replication",
                paramLabel = "RIGHT",
                description = "Some of ${COMPLETION-CANDIDATES}, separated by commas; by default ${DEFAULT-VALUE}.")
        private Set<Right> rights = EnumSet.noneOf(Right.class);

        @Option(
                names = "--network",
                split = ",",
                paramLabel = "CIDR",
                description = "From where it may log in, such as 10.0.0.0/8 or fd00::/8; may be repeated; by default"
                        + " from everywhere.")
        private List<String> networks = List.of();

        @Option(
                names = "--connections",
                defaultValue = "0",
                paramLabel = "N",
                description = "Connections at the same time; 0, the default: any number.")
        private int connections;

        @Option(
                names = "--rate",
                defaultValue = "0B",
                paramLabel = "SIZE",
                description = "Bytes a second of all its dumps together, such as 20MiB; by default any.")
        private String rate;

        @Option(
                names = "--certificate",
                paramLabel = "NAME",
                description =
                        "A name that the client's certificate must have: subject:CN=..., dns:..., ip:..., email:... or"
                                + " uri:...")
        private String certificate;

        @Option(names = "--no-password", description = "The certificate alone is enough.")
        private boolean withoutPassword;

        @Option(names = "--native", description = "It may log in by mysql_native_password too, which old clients need.")
        private boolean byNative;

        @Override
        public Integer call() {
            Grant grant;
            Optional<CertificateName> shown;
            try {
                grant = new Grant(
                        rights,
                        networks.stream().map(Network::parse).toList(),
                        connections,
                        ByteSize.parse(rate).bytes());
                shown = Optional.ofNullable(certificate).map(CertificateName::parse);
            } catch (IllegalArgumentException e) {
                throw refused(e.getMessage());
            }
            if (withoutPassword && (shown.isEmpty() || byNative)) {
                throw refused("--no-password: expected --certificate with it, and not --native");
            }
            ServeConfig serve = place.serve();
            Optional<String> password = withoutPassword ? Optional.empty() : Optional.of(place.askPassword(name));
            Optional<PasswordHash> byProof =
                    password.filter(text -> byNative || serve.nativePassword()).map(UserCommand::nativeHash);
            UserEntry entry = entry(name, password.map(Passwords::salted), byProof, shown, grant);
            UsersFile.change(place.users(), users -> {
                if (users.putIfAbsent(name, entry) != null) {
                    throw refused(
                            "user " + name + " is there already: `tributary user passwd` gives it another password,"
                                    + " `tributary user remove` takes it away");
                }
                return users;
            });
            return place.done("added user " + name);
        }
    }

    /** Takes a user away. */
    @Command(
            name = "remove",
            description = "Takes a user away; its sessions go on until they end or are killed.",
            mixinStandardHelpOptions = true)
    static final class Remove implements Callable<Integer> {
        @Mixin
        private UsersPlace place;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public Integer call() {
            UsersFile.change(place.users(), users -> {
                if (users.remove(name) == null) {
                    throw unknown(name, users);
                }
                return users;
            });
            return place.done("removed user " + name);
        }
    }

    /** Lists users. */
    @Command(name = "list", description = "Lists users; no passwords.", mixinStandardHelpOptions = true)
    static final class ListUsers implements Callable<Integer> {
        @Mixin
        private UsersPlace place;

        @Override
        public Integer call() {
            PrintWriter out = place.out();
            for (UserEntry user : UsersFile.read(place.users()).values()) {
                Grant grant = user.grant();
                StringBuilder line =
                        new StringBuilder(user.name()).append("  rights ").append(UsersFile.rights(grant));
                user.nativePassword().ifPresent(hash -> line.append("  native"));
                user.certificate()
                        .ifPresent(shown -> line.append("  certificate ").append(shown));
                if (user.password().isEmpty() && user.nativePassword().isEmpty()) {
                    line.append("  no password");
                }
                if (!grant.networks().isEmpty()) {
                    line.append("  networks ").append(UsersFile.networks(grant));
                }
                if (grant.connections() > 0) {
                    line.append("  connections ").append(grant.connections());
                }
                if (grant.bytesPerSecond() > 0) {
                    line.append("  rate ").append(new ByteSize(grant.bytesPerSecond()));
                }
                out.println(line);
            }
            ServeConfig serve = place.serve();
            if (serve.password().isPresent()) {
                out.println(serve.user() + "  rights replication, monitor, admin  (serve.user of the configuration)");
            }
            out.flush();
            return 0;
        }
    }

    /** Gives a user another password. */
    @Command(
            name = "passwd",
            description = {
                "Gives a user another password; sessions that are there go on.",
                "It is asked for, or read from the first line of standard input."
            },
            mixinStandardHelpOptions = true)
    static final class Passwd implements Callable<Integer> {
        @Mixin
        private UsersPlace place;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public Integer call() {
            Path file = place.users();
            Map<String, UserEntry> before = UsersFile.read(file);
            if (!before.containsKey(name)) {
                throw unknown(name, before);
            }
            String password = place.askPassword(name);
            PasswordHash salted = Passwords.salted(password);
            boolean nativeForAll = place.serve().nativePassword();
            UsersFile.change(file, users -> {
                UserEntry user = users.get(name);
                if (user == null) {
                    throw unknown(name, users);
                }
                boolean byNative = nativeForAll || user.nativePassword().isPresent();
                users.put(
                        name,
                        user.withPasswords(salted, byNative ? Optional.of(nativeHash(password)) : Optional.empty()));
                return users;
            });
            return place.done("user " + name + " has another password");
        }
    }

    private static PasswordHash nativeHash(String password) {
        return Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, password);
    }

    private static UserEntry entry(
            String name,
            Optional<PasswordHash> password,
            Optional<PasswordHash> nativePassword,
            Optional<CertificateName> certificate,
            Grant grant) {
        try {
            return new UserEntry(name, password, nativePassword, certificate, grant);
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private static TributaryException unknown(String name, Map<String, UserEntry> users) {
        return refused("expected one of the users " + users.keySet() + ", found '" + name + "'");
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.USER_CHANGE_REFUSED, message);
    }
}
