package io.tributary.node.command.setup;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PrivateFile;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary init}: writes the configuration file of a new node, and the SQL of its accounts on the shards. */
@Command(
        name = "init",
        description = {
            "Writes the configuration file of a new node, and for each shard a file with the SQL that creates its account there.",
            "Passwords are generated. All files have mode 600, and no existing file is overwritten. It connects to no server.",
            "Without --shard it asks for the addresses, at a terminal.",
            "Then: run each SQL file on its shard, `tributary check`, `tributary start`."
        },
        mixinStandardHelpOptions = true)
public final class InitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "tributary.properties",
            description = "The file to write. The SQL files are beside it. Default: ${DEFAULT-VALUE}.")
    private Path file;

    @Option(
            names = "--shard",
            paramLabel = "[NAME=]HOST[:PORT]",
            description = "A shard; may be repeated. Default of NAME: s1, s2 and so on; of PORT: 3306.")
    private List<String> shards = List.of();

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "The folder for the binlog and the spill disk. Default: the folder data beside the file.")
    private Path data;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "The address for readers, serve.listen. Default: 127.0.0.1:3307.")
    private String serve;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9107",
            description = "The address of the admin endpoint, admin.listen. Default: ${DEFAULT-VALUE}.")
    private String admin;

    @Option(
            names = "--account",
            paramLabel = "USER",
            defaultValue = "tributary",
            description = "The name of the account on the shards. Default: ${DEFAULT-VALUE}.")
    private String account;

    @Option(
            names = "--account-host",
            paramLabel = "HOST",
            defaultValue = "%",
            description = "From where the account may log in. Default: ${DEFAULT-VALUE}, from everywhere.")
    private String accountHost;

    @Option(
            names = "--start",
            paramLabel = "PLACE",
            defaultValue = "earliest",
            description =
                    "Where the stream begins on each shard, earliest or latest. Default: ${DEFAULT-VALUE}. Shards that have purged"
                            + " binlogs need latest; `tributary seed` then copies their rows to replicas.")
    private String start;

    @Override
    public Integer call() {
        Path target = file.toAbsolutePath().normalize();
        requireNew(List.of(target)); // before questions are asked
        Setup setup;
        try {
            setup = shards.isEmpty() ? asked(target) : ofOptions(target, shards);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        write(target, setup);
        return 0;
    }

    private Setup ofOptions(Path target, List<String> addresses) {
        List<ShardAddress> parsed = new ArrayList<>();
        for (String text : addresses) {
            parsed.add(ShardAddress.parse(text, parsed.size() + 1));
        }
        return setup(target, parsed, folder(target), serve == null ? "127.0.0.1:3307" : serve);
    }

    private Setup setup(Path target, List<ShardAddress> parsed, Path folder, String listen) {
        if (!start.equals("earliest") && !start.equals("latest")) {
            throw new IllegalArgumentException("--start: expected earliest or latest, found '" + start + "'");
        }
        return new Setup(
                parsed,
                target.resolveSibling(folder).normalize(),
                HostPort.parse(listen),
                HostPort.parse(admin),
                new Setup.Account(account, accountHost),
                start);
    }

    private Path folder(Path target) {
        return data == null ? target.resolveSibling("data") : data.toAbsolutePath();
    }

    // from JDK 22 on the console also exists without a terminal; the first question then finds the end of the input
    @SuppressWarnings("SystemConsoleNull")
    private Setup asked(Path target) {
        Console console = System.console();
        if (console == null) {
            throw new IllegalArgumentException(
                    "expected --shard HOST:PORT for each shard, or a terminal to ask at, found neither");
        }
        return asked(target, new Dialog(new BufferedReader(console.reader()), console.writer()));
    }

    /** Asks for what the options do not give. */
    Setup asked(Path target, Dialog dialog) {
        List<ShardAddress> parsed = new ArrayList<>();
        while (true) {
            int number = parsed.size() + 1;
            String question = "address of shard " + number + ", [NAME=]HOST[:PORT]"
                    + (parsed.isEmpty() ? "" : "; empty if there are no more");
            ShardAddress next = dialog.ask(question, text -> {
                if (text.isEmpty() && !parsed.isEmpty()) {
                    return null;
                }
                ShardAddress shard = ShardAddress.parse(text, number);
                List<ShardAddress> all = new ArrayList<>(parsed);
                all.add(shard);
                var unused = setup(target, all, folder(target), "127.0.0.1:3307"); // refuses the same shard twice
                return shard;
            });
            if (next == null) {
                break;
            }
            parsed.add(next);
        }
        String listen = serve != null
                ? serve
                : dialog.ask(
                        "address for readers [127.0.0.1:3307]",
                        text -> HostPort.parse(text.isEmpty() ? "127.0.0.1:3307" : text)
                                .toString());
        Path folder = data != null
                ? folder(target)
                : dialog.ask(
                        "folder of the binlog [" + folder(target) + "]",
                        text -> text.isEmpty() ? folder(target) : Path.of(text).toAbsolutePath());
        return setup(target, parsed, folder, listen);
    }

    private static void requireNew(List<Path> files) {
        for (Path each : files) {
            if (Files.exists(each)) {
                throw new TributaryException(
                        ErrorCode.FILE_EXISTS, each + ": expected no such file, found one; it is not overwritten");
            }
        }
    }

    private void write(Path target, Setup setup) {
        SetupFiles texts = new SetupFiles(setup);
        Map<ShardAddress, Path> sql = new LinkedHashMap<>();
        setup.shards().forEach(shard -> sql.put(shard, target.resolveSibling("account-" + shard.name() + ".sql")));
        requireNew(List.copyOf(sql.values()));
        try {
            PrivateFile.createFolder(target.getParent());
            for (Map.Entry<ShardAddress, Path> each : sql.entrySet()) {
                PrivateFile.replace(each.getValue(), texts.sql(each.getKey(), each.getValue()));
            }
            PrivateFile.replace(target, texts.configuration());
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, target + ": expected a folder in which files can be written, found " + e, e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("wrote " + target + " with the passwords (mode 600; its owner must be the node's user)");
        out.println();
        out.println("1. Create the account on each shard:");
        sql.forEach((shard, path) -> out.println("     " + SetupFiles.client(shard, path)));
        out.println("   and delete these files.");
        out.println("2. Check everything:  tributary check -c " + target);
        out.println("3. Start the node:    tributary start -c " + target);
        out.println("   Readers log in at " + setup.serve() + " as user reader; the password is serve.password.");
        out.flush();
    }
}
