package io.tributary.node.command;

import io.tributary.common.value.DdlDecision;
import io.tributary.node.command.client.AdminPage;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.CutCommands;
import io.tributary.node.command.client.NodeCommand;
import io.tributary.node.ddl.CutChanges;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary ddl}: shows schema changes and held shards, and sends an operator's decisions. */
@Command(
        name = "ddl",
        description = "Shows schema changes in progress and held shards, and sends your decisions about them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DdlCommand.ListCommand.class,
            DdlCommand.ShowCommand.class,
            DdlCommand.Emit.class,
            DdlCommand.Ignore.class,
            DdlCommand.Done.class,
            DdlCommand.Skip.class,
            DdlCommand.Text.class
        })
final class DdlCommand {
    /** {@code tributary ddl list}. */
    @Command(
            name = "list",
            description = {
                "Lists the DDL statements that only some members have run, and the transactions that hold shards, oldest first:",
                "the members that have it and lack it, for how long, what it waits for, and the commands that end it.",
                "For a stopped node it shows the content of the last cut in its binlog."
            },
            mixinStandardHelpOptions = true)
    static final class ListCommand implements Callable<Integer> {
        @Mixin
        private AdminPage page;

        @Override
        public Integer call() throws InterruptedException {
            return page.print("/ddl", CutChanges::of);
        }
    }

    /** {@code tributary ddl show}. */
    @Command(
            name = "show",
            description = "Shows one entry of tributary ddl list, with the complete statement.",
            mixinStandardHelpOptions = true)
    static final class ShowCommand implements Callable<Integer> {
        @Mixin
        private AdminPage page;

        @Parameters(paramLabel = "ID", description = "The ID that tributary ddl list shows.")
        private String id;

        @Override
        public Integer call() throws InterruptedException {
            return page.print("/ddl?id=" + encoded(id), cut -> CutCommands.one(CutChanges.of(cut), id));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A decision that is sent to the running node, or appended to the binlog of a stopped one. */
    abstract static class Decision implements Callable<Integer> {
        private final DdlDecision.Verb verb;

        @Spec
        private CommandSpec spec;

        @Mixin
        private ConfigFile file;

        @Parameters(paramLabel = "ID", description = "The ID that tributary ddl list shows.")
        private String id;

        @Option(
                names = "--accept-loss",
                description =
                        "Required if rows are lost for the readers of the global binlog; the refusal names the members.")
        private boolean acceptsLoss;

        Decision(DdlDecision.Verb verb) {
            this.verb = verb;
        }

        /** The member that the decision is about, or "". */
        String member() {
            return "";
        }

        /** The statement to write instead, or "". */
        String text() {
            return "";
        }

        @Override
        public Integer call() throws InterruptedException {
            DdlDecision decision = new DdlDecision(verb, id, member(), acceptsLoss, text());
            String page = "/ddl/" + verb.word() + "?id=" + encoded(id)
                    + (decision.member().isEmpty() ? "" : "&member=" + encoded(decision.member()))
                    + (acceptsLoss ? "&accept-loss=true" : "")
                    + (decision.text().isEmpty() ? "" : "&text=" + encoded(decision.text()));
            return new NodeCommand(file, spec.commandLine().getOut())
                    .send(page, verb.word(), cut -> CutCommands.of(cut, decision));
        }
    }

    /** {@code tributary ddl emit}: writes a waiting statement now. */
    @Command(
            name = "emit",
            description = {
                "Writes a statement now that waits for other members. Rows of members that have not run it are left out until",
                "their own statement arrives."
            },
            mixinStandardHelpOptions = true)
    static final class Emit extends Decision {
        Emit() {
            super(DdlDecision.Verb.EMIT);
        }
    }

    /** {@code tributary ddl ignore}: lets a statement change one member only. */
    @Command(
            name = "ignore",
            description =
                    "Ignores a waiting statement of one member: it changes this member only, and nothing is written.",
            mixinStandardHelpOptions = true)
    static final class Ignore extends Decision {
        @Option(
                names = "--member",
                required = true,
                paramLabel = "SHARD:SCHEMA.TABLE",
                description = "The member whose statement is ignored, such as s1:shop.orders_0.")
        private String member;

        Ignore() {
            super(DdlDecision.Verb.IGNORE);
        }

        @Override
        String member() {
            return member;
        }
    }

    /** {@code tributary ddl done}: ends the wait for the other members. */
    @Command(
            name = "done",
            description = "Ends the wait for the members that lack the statement.",
            mixinStandardHelpOptions = true)
    static final class Done extends Decision {
        Done() {
            super(DdlDecision.Verb.DONE);
        }
    }

    /** {@code tributary ddl skip}: leaves out the statement or transaction that holds a shard. */
    @Command(
            name = "skip",
            description = {
                "Leaves out the transaction or statement at which a shard is held, as tributary shard skip does.",
                "Readers of the global binlog never receive its rows: apply them there by hand."
            },
            mixinStandardHelpOptions = true)
    static final class Skip extends Decision {
        Skip() {
            super(DdlDecision.Verb.SKIP);
        }
    }

    /** {@code tributary ddl text}: writes another statement. */
    @Command(
            name = "text",
            description = {
                "Writes another statement instead of the ALTER TABLE at which a shard is held. It must change the table in the",
                "output to the table that the member has after its own statement, else it is refused with the differences.",
                "The node must run."
            },
            mixinStandardHelpOptions = true)
    static final class Text extends Decision {
        @Option(
                names = "--text",
                required = true,
                paramLabel = "STATEMENT",
                description =
                        "An ALTER TABLE with the name of the table in the output, such as 'ALTER TABLE shop.orders ADD a INT'.")
        private String text;

        Text() {
            super(DdlDecision.Verb.TEXT);
        }

        @Override
        String text() {
            return text;
        }
    }
}
