package io.tributary.node.command;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code tributary user}: manages the users of a node. A running node uses each change from the next login on. */
@Command(
        name = "user",
        description = "Manages the users that readers log in with; a running node needs no restart.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UserCommand.Add.class,
            UserSetCommand.class,
            UserCommand.Remove.class,
            UserCommand.ListUsers.class,
            UserCommand.Passwd.class
        })
final class UserCommand {
    private static final Grant NEW_USER = new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0);

    /** {@code tributary user add}. */
    @Command(
            name = "add",
            description = {
                "Creates a user.",
                "The password is prompted for, or read from the first line of standard input; it cannot be given in the command."
            },
            mixinStandardHelpOptions = true)
    static final class Add implements Callable<Integer> {
        @Mixin
        private UsersLocation location;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Mixin
        private GrantOptions options;

        @Option(names = "--no-password", description = "The user logs in with its certificate only.")
        private boolean withoutPassword;

        @Option(
                names = "--native",
                description = "The user may also log in with mysql_native_password, which old clients need.")
        private boolean byNative;

        @Override
        public Integer call() {
            Grant grant = options.grant(NEW_USER);
            Optional<CertificateName> certificate = options.certificate(Optional.empty());
            TableFilter tables = options.tables(TableFilter.ALL);
            if (withoutPassword && (certificate.isEmpty() || byNative)) {
                throw refused("--no-password: expected --certificate with it, and not --native");
            }
            ServeConfig serve = location.serve();
            Optional<String> password = withoutPassword ? Optional.empty() : Optional.of(location.askPassword(name));
            Optional<PasswordHash> byProof =
                    password.filter(text -> byNative || serve.nativePassword()).map(UserCommand::nativeHash);
            Optional<PasswordHash> salted = password.map(Passwords::salted);
            UserEntry entry =
                    checked(() -> new UserEntry(name, new LoginMethods(salted, byProof, certificate), grant, tables));
            UsersFile.change(location.users(), users -> {
                if (users.putIfAbsent(name, entry) != null) {
                    throw refused("expected a name that is not in use, found user " + name
                            + ": `tributary user passwd` changes its password,"
                            + " `tributary user set` its rights, `tributary user remove` removes it");
                }
                return users;
            });
            return location.done("added user " + name);
        }
    }

    /** {@code tributary user remove}. */
    @Command(
            name = "remove",
            description = "Removes a user; its sessions continue until they end or are killed.",
            mixinStandardHelpOptions = true)
    static final class Remove implements Callable<Integer> {
        @Mixin
        private UsersLocation location;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public Integer call() {
            UsersFile.change(location.users(), users -> {
                if (users.remove(name) == null) {
                    throw unknown(name, users);
                }
                return users;
            });
            return location.done("removed user " + name);
        }
    }

    /** {@code tributary user list}. */
    @Command(name = "list", description = "Lists the users, without passwords.", mixinStandardHelpOptions = true)
    static final class ListUsers implements Callable<Integer> {
        @Mixin
        private UsersLocation location;

        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() {
            List<Map<String, Object>> users = new ArrayList<>();
            UsersFile.read(location.users()).values().forEach(user -> users.add(facts(user)));
            ServeConfig serve = location.serve();
            if (serve.password().isPresent()) {
                Map<String, Object> own = new LinkedHashMap<>();
                own.put("name", serve.user());
                own.put("rights", "replication, monitor, admin");
                own.put("from", "serve.user of the configuration");
                users.add(own);
            }
            output.print(users, () -> users.stream().map(ListUsers::line).collect(Collectors.joining()));
            return 0;
        }

        /** What the user may do and how it logs in; only what differs from a user with all tables, without limits and with a password. */
        private static Map<String, Object> facts(UserEntry user) {
            Grant grant = user.grant();
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("name", user.name());
            facts.put("rights", UsersFile.rights(grant));
            user.nativePassword().ifPresent(hash -> facts.put("native", true));
            user.certificate().ifPresent(name -> facts.put("certificate", name.toString()));
            if (user.password().isEmpty() && user.nativePassword().isEmpty()) {
                facts.put("no password", true);
            }
            if (!grant.networks().isEmpty()) {
                facts.put("networks", UsersFile.networks(grant));
            }
            if (grant.connections() > 0) {
                facts.put("connections", grant.connections());
            }
            if (grant.bytesPerSecond() > 0) {
                facts.put("rate", new ByteSize(grant.bytesPerSecond()).toString());
            }
            if (!user.tables().isAll()) {
                facts.put("tables", user.tables().toString());
            }
            return facts;
        }

        private static String line(Map<String, Object> facts) {
            StringBuilder line = new StringBuilder(facts.get("name").toString());
            facts.forEach((name, value) -> {
                if (name.equals("from")) {
                    line.append("  (").append(value).append(')');
                } else if (!name.equals("name")) {
                    line.append("  ").append(name).append(Boolean.TRUE.equals(value) ? "" : " " + value);
                }
            });
            return line.append('\n').toString();
        }
    }

    /** {@code tributary user passwd}. */
    @Command(
            name = "passwd",
            description = {
                "Changes the password of a user; existing sessions continue.",
                "The password is prompted for, or read from the first line of standard input."
            },
            mixinStandardHelpOptions = true)
    static final class Passwd implements Callable<Integer> {
        @Mixin
        private UsersLocation location;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public Integer call() {
            Path file = location.users();
            Map<String, UserEntry> before = UsersFile.read(file);
            if (!before.containsKey(name)) {
                throw unknown(name, before);
            }
            String password = location.askPassword(name);
            PasswordHash salted = Passwords.salted(password);
            boolean nativeForAll = location.serve().nativePassword();
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
            return location.done("changed the password of user " + name);
        }
    }

    private static PasswordHash nativeHash(String password) {
        return Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, password);
    }

    /** @param entry creates the entry, and checks it */
    private static UserEntry checked(Supplier<UserEntry> entry) {
        try {
            return entry.get();
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    static TributaryException unknown(String name, Map<String, UserEntry> users) {
        return refused("expected one of the users " + users.keySet() + ", found '" + name + "'");
    }

    static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.USER_CHANGE_REFUSED, message);
    }
}
