package io.tributary.node.command;

import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.serve.ServeConfig;
import io.tributary.dumper.users.UsersFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Which node's users a command is about, and where it says what it has done. */
final class UsersPlace {
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

    /** Asks for a user's password, or reads it from standard input. */
    String askPassword(String user) {
        return Password.ask(user, command.commandLine().getErr());
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Says what has been done. @return the exit code */
    int done(String what) {
        out().println(what);
        out().flush();
        return 0;
    }
}
