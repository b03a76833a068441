package io.tributary.node.command;

import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code tributary user set}: changes a user's rights, networks, limits, tables or certificate. */
@Command(
        name = "set",
        description = {
            "Changes the rights, networks, limits, tables or certificate of a user; options that are not given change nothing.",
            "A change of tables ends the user's dumps within seconds; its readers reconnect and continue with the new tables."
                    + " All other changes take effect with the next login."
        },
        mixinStandardHelpOptions = true)
final class UserSetCommand implements Callable<Integer> {
    @Mixin
    private UsersLocation location;

    @Parameters(paramLabel = "NAME", description = "The user's name.")
    private String name;

    @Mixin
    private GrantOptions options;

    @Override
    public Integer call() {
        if (!options.isAny()) {
            throw UserCommand.refused("expected one of --rights, --network, --connections, --rate, --tables and"
                    + " --certificate, found none");
        }
        UsersFile.change(location.users(), users -> {
            UserEntry user = users.get(name);
            if (user == null) {
                throw UserCommand.unknown(name, users);
            }
            try {
                users.put(
                        name,
                        user.with(
                                options.certificate(user.certificate()),
                                options.grant(user.grant()),
                                options.tables(user.tables())));
            } catch (IllegalArgumentException e) {
                throw UserCommand.refused(e.getMessage());
            }
            return users;
        });
        return location.done("changed user " + name);
    }
}
