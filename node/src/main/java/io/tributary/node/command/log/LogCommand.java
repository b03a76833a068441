package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.node.command.order.OrderAccess;
import io.tributary.node.command.order.StoredFiles;
import io.tributary.node.command.output.OutputForm;
import io.tributary.node.process.StopSignal;
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
            "Reads the files in this process: a running node is not asked. Ctrl-C ends it."
        },
        mixinStandardHelpOptions = true)
public final class LogCommand implements Callable<Integer> {
    private static final long DEFAULT_LIMIT = 1000;

    private final StopSignal stop;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OrderAccess access;

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
                "Prints the statements that undo the changes. Needs --since or --gtid. A transaction with a statement such as",
                "DDL is refused."
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
            StoredFiles files = opened.files(stop);
            return run(files, selection);
        } catch (IOException | UncheckedIOException e) {
            throw IoErrors.of(
                    Path.of("output"), "write", e instanceof IOException io ? io : (IOException) e.getCause());
        }
    }

    private void requireOptions() {
        if (access.output().form() == OutputForm.YAML) {
            throw wrong("-o: expected table, or json with one object in each line, found yaml");
        }
        if (isFlashback && since == null && gtid == null) {
            throw wrong("--flashback: expected --since or --gtid, found neither");
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
                    Optional.ofNullable(gtid).map(GtidSet::parse));
        } catch (SqlRefusal | IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private int run(StoredFiles files, LogSelection selection) throws IOException {
        requirePossible(files, selection);
        PrintWriter err = spec.commandLine().getErr();
        long most = limit != null ? limit : isFlashback ? Long.MAX_VALUE : DEFAULT_LIMIT;
        Path spill = Files.createTempDirectory("tributary-log");
        LogProgress progress = new LogProgress(
                err,
                files.list().stream().mapToLong(BinlogFile::end).sum(),
                Boolean.getBoolean("tributary.errors.terminal"),
                Clock.SYSTEM);
        try (SelectedChanges output = output(files);
                JournalMap definitions = JournalMap.at(spill.resolve("definitions"))) {
            LogHandler handler = new LogHandler(selection, output, most);
            new LogWalk(files, selection, new StoredDefinitions(files, definitions), handler, progress).run();
            progress.end();
            output.finish();
            if (handler.hasMore()) {
                err.println("more than " + most + " rows and statements: select less, or set --limit");
                err.flush();
            }
        } finally {
            progress.end();
            TemporaryFolder.delete(spill);
        }
        return 0;
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
                            + ". If a backup has them, restore the backup into another folder and run the command with its configuration");
        }
    }

    private SelectedChanges output(StoredFiles files) {
        PrintWriter out = spec.commandLine().getOut();
        Function<Gtid, List<String>> shards =
                showsShards ? transaction -> access.shardsOf(files, transaction.gno()) : transaction -> List.of();
        if (isFlashback) {
            return new UndoLog(out);
        }
        return access.output().form() == OutputForm.JSON ? new JsonLog(out, shards) : new TextLog(out, shards);
    }
}
