package io.tributary.node.command;

import io.tributary.common.value.DdlOrder;
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

/** What concerns schema changes. */
@Command(
        name = "ddl",
        description =
                "Shows schema changes that are under way and shards that are held, and decides what is to become of them.",
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
    /** Lists what is under way. */
    @Command(
            name = "list",
            description = {
                "Lists the DDL statements that some members have had and others not, and what holds shards, oldest first:",
                "which members have it and lack it, since when, what it waits for, the commands that end it.",
                "Of a stopped node it shows what the last cut in its binlog says."
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

    /** Shows one of them. */
    @Command(
            name = "show",
            description = "Shows one of those that tributary ddl list shows, with its whole statement.",
            mixinStandardHelpOptions = true)
    static final class ShowCommand implements Callable<Integer> {
        @Mixin
        private AdminPage page;

        @Parameters(paramLabel = "ID", description = "As tributary ddl list shows it.")
        private String id;

        @Override
        public Integer call() throws InterruptedException {
            return page.print("/ddl?id=" + encoded(id), cut -> CutOrders.one(CutChanges.of(cut), id));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** An order, given to the running node, or appended to the binlog of a stopped one. */
    abstract static class Ordering implements Callable<Integer> {
        private final DdlOrder.Verb verb;

        @Spec
        private CommandSpec spec;

        @Mixin
        private ConfigFile file;

        @Parameters(paramLabel = "ID", description = "As tributary ddl list shows it.")
        private String id;

        @Option(
                names = "--accept-loss",
                description = "Needed where rows of the global binlog's readers are lost by it; the refusal says so.")
        private boolean acceptsLoss;

        Ordering(DdlOrder.Verb verb) {
            this.verb = verb;
        }

        /** The member that is meant, or "". */
        String member() {
            return "";
        }

        /** What is to be written in place of the statement, or "". */
        String text() {
            return "";
        }

        @Override
        public Integer call() throws InterruptedException {
            DdlOrder order = new DdlOrder(verb, id, member(), acceptsLoss, text());
            String page = "/ddl/" + verb.word() + "?id=" + encoded(id)
                    + (order.member().isEmpty() ? "" : "&member=" + encoded(order.member()))
                    + (acceptsLoss ? "&accept-loss=true" : "")
                    + (order.text().isEmpty() ? "" : "&text=" + encoded(order.text()));
            return new NodeOrder(file, spec.commandLine().getOut())
                    .give(page, verb.word(), cut -> CutOrders.of(cut, order));
        }
    }

    /** Writes a waiting statement now. */
    @Command(
            name = "emit",
            description = {
                "Writes a statement now that waits for other members; rows of members that have not had it are left out until",
                "theirs arrives."
            },
            mixinStandardHelpOptions = true)
    static final class Emit extends Ordering {
        Emit() {
            super(DdlOrder.Verb.EMIT);
        }
    }

    /** Lets a statement change one member only. */
    @Command(
            name = "ignore",
            description = "Lets a waiting statement change one member only: nothing is written.",
            mixinStandardHelpOptions = true)
    static final class Ignore extends Ordering {
        @Option(
                names = "--member",
                required = true,
                paramLabel = "SHARD:SCHEMA.TABLE",
                description = "The member whose statement is meant, such as s1:shop.orders_0.")
        private String member;

        Ignore() {
            super(DdlOrder.Verb.IGNORE);
        }

        @Override
        String member() {
            return member;
        }
    }

    /** Waits no longer for members. */
    @Command(
            name = "done",
            description = "Waits no longer for the members that lack the statement.",
            mixinStandardHelpOptions = true)
    static final class Done extends Ordering {
        Done() {
            super(DdlOrder.Verb.DONE);
        }
    }

    /** Leaves out what holds a shard. */
    @Command(
            name = "skip",
            description = {
                "Leaves out the transaction or statement at which a shard is held, as tributary shard skip does.",
                "Readers of the global binlog never see its rows: bring them there by hand."
            },
            mixinStandardHelpOptions = true)
    static final class Skip extends Ordering {
        Skip() {
            super(DdlOrder.Verb.SKIP);
        }
    }

    /** Writes another statement. */
    @Command(
            name = "text",
            description = {
                "Writes another statement in place of the ALTER TABLE at which a shard is held. It must lead from the table in the",
                "output to what the member has after its own statement; else it is refused with the differences. On a running node."
            },
            mixinStandardHelpOptions = true)
    static final class Text extends Ordering {
        @Option(
                names = "--text",
                required = true,
                paramLabel = "STATEMENT",
                description =
                        "ALTER TABLE of the table as it is called in the output, such as 'ALTER TABLE shop.orders ADD a INT'.")
        private String text;

        Text() {
            super(DdlOrder.Verb.TEXT);
        }

        @Override
        String text() {
            return text;
        }
    }
}
