package io.tributary.node.command;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.Password;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.users.UsersFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The node whose users a command changes, and the output of the command. */
final class UsersLocation {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private ConfigFile file;

    ServeConfig serve() {
        return file.read(ServeConfig.class);
    }

    /** The users file. */
    Path users() {
        Path binlog = file.read(BinlogConfig.class).directory();
        return serve().folder(binlog).resolve(UsersFile.NAME);
    }

    /** Prompts for a user's password, or reads it from standard input. */
    String askPassword(String user) {
        return Password.ask(user, command.commandLine().getErr());
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Prints the result of the command, and returns the exit status. */
    int done(String line) {
        out().println(line);
        out().flush();
        return 0;
    }
}
