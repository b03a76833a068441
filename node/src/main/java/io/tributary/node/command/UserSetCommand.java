package io.tributary.node.command;

import io.tributary.dumper.users.UserEntry;
import io.tributary.dumper.users.UsersFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives a user other rights, networks, limits or tables. */
@Command(
        name = "set",
        description = {
            "Gives a user other rights, networks, limits or tables; what is not given stays.",
            "Other tables end the user's dumps within seconds: its readers come again, and go on with those. Everything else is"
                    + " for logins from then on."
        },
        mixinStandardHelpOptions = true)
final class UserSetCommand implements Callable<Integer> {
    @Mixin
    private UsersPlace place;

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
        UsersFile.change(place.users(), users -> {
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
        return place.done("changed user " + name);
    }
}
