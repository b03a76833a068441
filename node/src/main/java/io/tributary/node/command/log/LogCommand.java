package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.node.command.order.OrderAccess;
import io.tributary.node.command.order.StoredFiles;
import io.tributary.node.command.order.TemporaryFolder;
import io.tributary.node.command.output.YamlText;
import io.tributary.node.process.StopSignal;
import io.tributary.node.task.ShardClient;
import io.tributary.node.text.JsonText;
import io.tributary.replay.session.Peer;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary log}: shows changes of rows in the binlog, or makes the statements that undo them. */
@Command(
        name = "log",
        description = {
            "Shows the changes of rows in the binlog files of a running or stopped node: transaction, time, table and values.",
            "With --flashback prints the SQL statements that undo them, the newest change first.",
            "Reads the files in this process, those of the backup too: a running node is not asked. With --source reads them from",
            "a running node, through its MySQL port. Ctrl-C ends it, and it prints how to continue; the exit status is then 130."
        },
        mixinStandardHelpOptions = true)
public final class LogCommand implements Callable<Integer> {
    private static final long DEFAULT_LIMIT = 1000;

    private final StopSignal stop;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OrderAccess access;

    @Mixin
    private ServedOptions served;

    @Option(names = "--table", paramLabel = "SCHEMA.TABLE", description = "Only changes of this table.")
    private String table;

    @Option(
            names = "--key",
            split = ",",
            paramLabel = "VALUE",
            description =
                    "Only rows with this key; the values of a key of several columns with commas between them. Needs --table.")
    private List<String> key = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only transactions that were committed at this time ('YYYY-MM-DD hh:mm:ss', UTC) or later.")
    private String since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "Only transactions that were committed before this time.")
    private String until;

    @Option(names = "--gtid", paramLabel = "SET", description = "Only these transactions of the binlog.")
    private String gtid;

    @Option(
            names = "--from",
            paramLabel = "GTID",
            description = "Only this transaction of the binlog and those after it.")
    private String from;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            description =
                    "At most this many rows and statements, the oldest ones. Default: 1000; with --flashback all.")
    private Long limit;

    @Option(
            names = "--shards",
            description = "Shows also the shards of each transaction, which are found in the binlogs of the shards.")
    private boolean showsShards;

    @Option(
            names = "--flashback",
            description = {
                "Prints the statements that undo the changes. Needs --since, --from or --gtid. A transaction with a statement such",
                "as DDL is refused."
            })
    private boolean isFlashback;

    /** @param stop ends the command */
    public LogCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() {
        requireOptions();
        LogSelection selection = selection();
        try (OrderAccess opened = access) {
            if (served.isGiven()) {
                runServed(selection);
            } else {
                runStored(opened.files(stop), selection);
            }
            return 0;
        } catch (IOException | UncheckedIOException e) {
            StoredFiles.requireRunning(stop); // the signal may have ended the reader of the output too
            throw IoErrors.of(
                    Path.of("output"), "write", e instanceof IOException io ? io : (IOException) e.getCause());
        }
    }

    private void requireOptions() {
        if (isFlashback && !access.output().isTable()) {
            throw wrong("--flashback: expected no -o and no --json, because it prints SQL");
        }
        if (isFlashback && since == null && gtid == null && from == null) {
            throw wrong("--flashback: expected --since, --from or --gtid, found none");
        }
        if (showsShards && served.isGiven()) {
            throw wrong("--shards: expected the files of the node and the configuration of its shards, found --source");
        }
        if (isFlashback && (limit != null || showsShards)) {
            throw wrong(
                    "--flashback: expected no --limit and no --shards, because a part of the changes cannot be undone alone");
        }
        if (!key.isEmpty() && table == null) {
            throw wrong("--key: expected --table, found none");
        }
        if (limit != null && limit < 1) {
            throw wrong("--limit: expected 1 or more, found " + limit);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private LogSelection selection() {
        int dot = table == null ? -1 : table.indexOf('.');
        if (table != null && (dot <= 0 || dot == table.length() - 1)) {
            throw wrong("--table: expected SCHEMA.TABLE, found " + table);
        }
        try {
            return new LogSelection(
                    Optional.ofNullable(table)
                            .map(name -> new TableName(name.substring(0, dot), name.substring(dot + 1))),
                    key,
                    since == null ? Long.MIN_VALUE : SqlTime.micros(SqlValue.of(since)),
                    until == null ? Long.MAX_VALUE : SqlTime.micros(SqlValue.of(until)),
                    gtids());
        } catch (SqlRefusal | IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private Optional<GtidSet> gtids() {
        Optional<GtidSet> these = Optional.ofNullable(gtid).map(GtidSet::parse);
        if (from == null) {
            return these;
        }
        Gtid first = Gtid.parse(from.strip());
        GtidSet open = GtidSet.EMPTY.toBuilder()
                .addRange(first.sid(), first.gno(), Long.MAX_VALUE - 1)
                .build();
        return Optional.of(these.map(open::intersect).orElse(open));
    }

    private long most() {
        return limit != null ? limit : isFlashback ? Long.MAX_VALUE : DEFAULT_LIMIT;
    }

    private LogProgress progress(LongSupplier total) {
        return new LogProgress(
                spec.commandLine().getErr(), total, Boolean.getBoolean("tributary.errors.terminal"), Clock.SYSTEM);
    }

    private void runStored(StoredFiles files, LogSelection selection) throws IOException {
        requirePossible(files, selection);
        notePurged(files, selection);
        long bytes = files.list().stream().mapToLong(BinlogFile::end).sum();
        LogProgress progress = progress(() -> bytes);
        Function<Gtid, List<String>> shards =
                showsShards ? transaction -> access.shardsOf(files, transaction.gno()) : transaction -> List.of();
        Path spill = Files.createTempDirectory("tributary-log");
        try (SelectedChanges output = output(shards);
                JournalMap definitions = JournalMap.at(spill.resolve("definitions"))) {
            LogHandler handler = new LogHandler(selection, output, most());
            LogReading reading =
                    new LogWalk(files, selection, new StoredDefinitions(files, definitions), handler, progress);
            read(reading, handler, output, progress);
        } finally {
            progress.end();
            TemporaryFolder.delete(spill);
        }
    }

    private void runServed(LogSelection selection) throws IOException {
        LongSupplier[] total = {() -> 0};
        LogProgress progress = progress(() -> total[0].getAsLong());
        Peer node = served.node();
        try (SelectedChanges output = output(transaction -> List.of());
                ShardClient client = new ShardClient(1)) {
            LogHandler handler = new LogHandler(selection, output, most());
            ServedLog.Port port = new ServedLog.Port(client.client(), node, stop);
            Supplier<ServedLog> open = () -> new ServedLog(port, selection, handler, access::note, progress);
            try (ServedLog reading = connected(client, open)) {
                total[0] = reading::total;
                read(reading, handler, output, progress);
            }
        } finally {
            progress.end();
        }
    }

    /** A signal ends the wait for a node that does not answer. */
    private ServedLog connected(ShardClient client, Supplier<ServedLog> open) {
        try {
            return stop.during(client::close, open::get);
        } catch (TributaryException e) {
            StoredFiles.requireRunning(stop);
            throw e;
        }
    }

    private void read(LogReading reading, LogHandler handler, SelectedChanges output, LogProgress progress)
            throws IOException {
        try {
            reading.run();
            progress.end();
            output.finish();
        } catch (RuntimeException | IOException e) {
            progress.end();
            if (stop.isRequested()) {
                throw cancelled(reading.place(), handler.found());
            }
            throw e;
        }
        if (handler.hasMore()) {
            spec.commandLine()
                    .getErr()
                    .println("more than " + most() + " rows and statements: select less, set --limit"
                            + reading.place()
                                    .transaction()
                                    .map(last -> ", or continue with --from " + last)
                                    .orElse(""));
            spec.commandLine().getErr().flush();
        }
    }

    /** Where it was when it was ended, and how to continue there. */
    private TributaryException cancelled(LogPlace place, long found) {
        String read = place.file().isEmpty()
                ? "nothing was read"
                : "read up to " + place.file() + ":" + place.position() + ", " + place.bytes() + " bytes, found "
                        + found + " rows and statements";
        String then = isFlashback
                ? "; the statements are not complete: do not run them"
                : place.transaction()
                        .map(last -> "; to continue there: the same options and --from " + last)
                        .orElse("");
        return new TributaryException(ErrorCode.COMMAND_CANCELLED, read + then);
    }

    /** Refuses transactions that are purged or not written: an empty answer would say that nothing was changed. */
    private void requirePossible(StoredFiles files, LogSelection selection) {
        GtidSet set = selection.gtids().orElse(GtidSet.EMPTY);
        if (!set.isEmpty() && !set.sids().equals(List.of(files.sid()))) {
            throw StoredFiles.refused("expected transactions of the binlog, with the source " + files.sid() + ", found "
                    + set.line() + ": for a transaction of a shard see tributary origin");
        }
        long purged = files.before(files.list().get(0));
        boolean isPurged = purged > 0
                && !set.intersect(GtidSet.EMPTY.toBuilder()
                                .addRange(files.sid(), 1, purged)
                                .build())
                        .isEmpty();
        if (isPurged) {
            throw StoredFiles.refused(
                    "expected transactions after " + files.gtid(purged) + ", up to which all are purged, found "
                            + set.line()
                            + ". A backup that has them is read if it is in the configuration");
        }
    }

    private void notePurged(StoredFiles files, LogSelection selection) {
        BinlogFile first = files.list().get(0);
        long purged = files.before(first);
        boolean mayLack = purged > 0 && selection.gtids().isEmpty() && !selection.isBefore(files.firstMicros(first));
        if (mayLack) {
            access.note(
                    "transactions up to " + files.gtid(purged) + " are purged, and in no backup: they are not shown");
        }
    }

    private SelectedChanges output(Function<Gtid, List<String>> shards) {
        PrintWriter out = spec.commandLine().getOut();
        if (isFlashback) {
            return new UndoLog(out, () -> StoredFiles.requireRunning(stop));
        }
        return switch (access.output().form()) {
            case TABLE -> new TextLog(out, shards);
            case JSON -> new FactsLog(out, shards, facts -> JsonText.of(facts) + "\n");
            case YAML -> new FactsLog(out, shards, facts -> YamlText.of(List.of(facts)));
        };
    }
}
