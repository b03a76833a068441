package io.tributary.serve;

import io.netty.util.concurrent.EventExecutor;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Purge;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Cut;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.dump.DumpSource;
import io.tributary.serve.dump.SemiSyncGate;
import io.tributary.serve.find.EventListing;
import io.tributary.serve.find.FoundPosition;
import io.tributary.serve.find.NewestCut;
import io.tributary.serve.find.PositionSearch;
import io.tributary.serve.find.RowLimit;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.history.KnownTables;
import io.tributary.serve.history.SchemaHistory;
import io.tributary.serve.schema.DefinitionList;
import io.tributary.serve.sql.LikePattern;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import io.tributary.serve.statement.Answer;
import io.tributary.serve.statement.BinlogAdmin;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Executes administrative statements on the event loops, in small steps so that readers are served meanwhile. */
final class AdminCommands implements BinlogAdmin {
    private static final int MAX_EVENTS = 100_000;
    private static final long TIMEOUT_SECONDS = 30;

    private final BinlogFiles files;
    private final SemiSyncGate gate;
    private final Archive archive;
    private final Supplier<EventExecutor> loops;
    private final SchemaHistory history;
    private final long maxBytes;
    private final EventExecutor cutLoop; // the only one that uses newestCut
    private final NewestCut newestCut = new NewestCut();

    /**
     * @param source the files, and the limit up to which events are shown and positions are found
     * @param history answers questions about table definitions
     * @param maxBytes maximum size of such an answer
     */
    AdminCommands(DumpSource source, Supplier<EventExecutor> loops, SchemaHistory history, long maxBytes) {
        this.history = history;
        this.maxBytes = maxBytes;
        this.archive = source.files().archive();
        this.files = source.files().here();
        this.gate = source.gate();
        this.loops = loops;
        this.cutLoop = loops.get();
    }

    @Override
    public CompletableFuture<Answer> rotate() {
        Optional<BinlogFile> ended = files.requestRotation();
        if (ended.isEmpty()) {
            return CompletableFuture.completedFuture(Answer.OK);
        }
        int number = ended.get().number();
        return whenBinlog(
                () -> files.durableEnd().file().number() > number,
                "expected a cut within " + TIMEOUT_SECONDS + " s, found none: " + ended.get()
                        + " ends with the next one; see the node's status");
    }

    /**
     * Answers when a condition becomes true.
     *
     * @param lacking message for the client when it is not true within 30 s
     */
    private CompletableFuture<Answer> whenBinlog(BooleanSupplier isSo, String lacking) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Runnable check = () -> {
            if (isSo.getAsBoolean()) {
                answer.complete(Answer.OK);
            }
        };
        files.subscribe(check);
        var expiry = loops.get()
                .schedule(
                        () -> answer.completeExceptionally(new SqlRefusal(MysqlError.ER_QUERY_TIMEOUT, lacking)),
                        TIMEOUT_SECONDS,
                        TimeUnit.SECONDS);
        var unused = answer.whenComplete((done, failure) -> {
            files.unsubscribe(check);
            expiry.cancel(false);
        });
        check.run();
        return answer;
    }

    @Override
    public CompletableFuture<Answer> purgeTo(String file) {
        return onLoop(() -> {
                    if (files.find(file).isEmpty()) {
                        throw new SqlRefusal(
                                MysqlError.ER_UNKNOWN_TARGET_BINLOG, "Target log not found in binlog index: " + file);
                    }
                    return files.purgeTo(file);
                })
                .thenCompose(purge -> purged(purge, file));
    }

    @Override
    public CompletableFuture<Answer> purgeBefore(long epochMicros) {
        return onLoop(() -> files.finishedBefore(TimeUnit.MICROSECONDS.toSeconds(epochMicros))
                        .name())
                .thenCompose(this::purgeTo);
    }

    /** Answers a purge. If only the journal needs a file, a snapshot is being written, and the purge is completed after it. */
    private CompletableFuture<Answer> purged(Purge purge, String to) {
        if (!purge.awaitsSnapshot()) {
            return onLoop(() -> answer(purge));
        }
        int number = files.find(to).map(BinlogFile::number).orElse(0);
        return whenBinlog(
                        () -> files.firstNeeded() >= number,
                        "expected a new snapshot of the table definitions within " + TIMEOUT_SECONDS
                                + " s, found none after " + purge.held().orElse("") + "; see the node's status")
                .thenCompose(written -> onLoop(() -> answer(files.purgeTo(to))));
    }

    private Answer answer(Purge purge) {
        purge.held().ifPresent(held -> {
            throw new SqlRefusal(
                    MysqlError.ER_LOG_IN_USE,
                    "A purgeable log is in use, will not purge: " + held
                            + (isMissing(held) ? " is not backed up yet" : " is being read") + "; purged "
                            + (purge.purged().isEmpty() ? "nothing" : purge.purged()));
        });
        return Answer.OK;
    }

    /** Whether there is an archive and it does not have a file yet. */
    private boolean isMissing(String file) {
        return archive != Archive.NONE
                && archive.files().stream().noneMatch(kept -> kept.name().equals(file));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loops.get().execute(() -> {
            try {
                answer.complete(work.get());
            } catch (RuntimeException e) { // SessionCommands reports it to the client
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** A task that is executed in steps until it has an answer. */
    private interface Steps<T> extends AutoCloseable {
        Optional<T> step() throws IOException;

        @Override
        void close() throws IOException;
    }

    private CompletableFuture<Answer> inSteps(Steps<Answer> steps) {
        return inSteps(steps, loops.get());
    }

    private static <T> CompletableFuture<T> inSteps(Steps<T> steps, EventExecutor loop) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        step(steps, answer, loop);
        return answer;
    }

    private static <T> void step(Steps<T> steps, CompletableFuture<T> answer, EventExecutor loop) {
        loop.execute(() -> {
            try {
                Optional<T> done = answer.isDone() ? Optional.empty() : steps.step();
                if (done.isEmpty() && !answer.isDone()) {
                    step(steps, answer, loop);
                } else {
                    steps.close();
                    done.ifPresent(answer::complete);
                }
            } catch (IOException | RuntimeException e) { // SessionCommands reports it to the client
                closeQuietly(steps, e);
                answer.completeExceptionally(e);
            }
        });
    }

    private static void closeQuietly(Steps<?> steps, Exception cause) {
        try {
            steps.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public CompletableFuture<Answer> events(EventsWanted request) {
        BinlogFile file = request.file().isEmpty()
                ? files.first()
                : files.find(request.file())
                        .filter(found -> gate.end(found) > 0)
                        .orElseThrow(() -> eventsRefused("Could not find target log"));
        long end = gate.end(file);
        if (request.from() > end) {
            throw eventsRefused("the position " + request.from() + " is past the end of " + file.name());
        }
        RowLimit limit = new RowLimit(
                request.skip(), Math.min(MAX_EVENTS, request.count().orElse(MAX_EVENTS)));
        EventListing listing = new EventListing(file, request.from(), end, limit, request.reads());
        return inSteps(new Steps<>() {
            @Override
            public Optional<Answer> step() throws IOException {
                try {
                    return listing.step() ? Optional.of(listed(listing, request)) : Optional.empty();
                } catch (TributaryException e) {
                    throw e.code() == ErrorCode.BINLOG_CORRUPT ? eventsRefused("Wrong offset or I/O error") : e;
                }
            }

            @Override
            public void close() throws IOException {
                listing.close();
            }
        });
    }

    private static SqlRefusal eventsRefused(String why) {
        return new SqlRefusal(
                MysqlError.ER_ERROR_WHEN_EXECUTING_COMMAND, "Error when executing command SHOW BINLOG EVENTS: " + why);
    }

    private static Answer listed(EventListing listing, EventsWanted request) {
        if (listing.hasMore() && request.count().orElse(Long.MAX_VALUE) > MAX_EVENTS) {
            throw eventsRefused("there are more than " + MAX_EVENTS + " events; use LIMIT, and FROM for later ones");
        }
        List<List<String>> rows = listing.lines().stream()
                .map(line -> List.of(
                        line.file(),
                        Long.toString(line.offset()),
                        line.type(),
                        Long.toString(line.serverId()),
                        Long.toString(line.end()),
                        line.text()))
                .toList();
        return new Answer.Rows(
                List.of("Log_name", "Pos", "Event_type", "Server_id", "End_log_pos", "Info"),
                List.of(false, true, false, true, true, false),
                rows);
    }

    @Override
    public CompletableFuture<Answer> position(SearchGoal goal) {
        PositionSearch search = new PositionSearch(files, goal, gate.committed());
        return inSteps(new Steps<>() {
            @Override
            public Optional<Answer> step() throws IOException {
                return search.step().map(AdminCommands::found);
            }

            @Override
            public void close() throws IOException {
                search.close();
            }
        });
    }

    @Override
    public CompletableFuture<Answer> checkpoint() {
        return newestCut()
                .thenApply(cut ->
                        cut.isPresent() ? CheckpointRows.of(cut.get(), files.serverUuid()) : CheckpointRows.none());
    }

    /** The newest cut before the end that readers see; empty while nothing may be read. */
    CompletableFuture<Optional<Cut>> newestCut() {
        BinlogPosition end = gate.committed();
        if (end.offset() == 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Steps<Cut> steps = new Steps<>() {
            @Override
            public Optional<Cut> step() throws IOException {
                return newestCut.step(end);
            }

            @Override
            public void close() {}
        };
        return inSteps(steps, cutLoop).thenApply(Optional::of);
    }

    @Override
    public CompletableFuture<Answer> definitions(DefinitionsWanted request) {
        Predicate<String> like = LikePattern.of(request.like()).asMatchPredicate();
        Function<KnownTables, Answer> reading = tables ->
                Answer.Rows.of(DefinitionList.COLUMNS, DefinitionList.rows(tables, request.reads(), like, maxBytes));
        return request.upTo().isPresent() ? history.after(request.upTo().get(), reading) : history.atEnd(reading);
    }

    private static Answer found(FoundPosition found) {
        return Answer.Rows.of(
                List.of("File", "Position", "Gtid", "Commit_time", "Tso", "Gtids_before", "Note"),
                SqlValue.of(found.file()),
                SqlValue.of(found.offset()),
                SqlValue.of(found.next().map(Gtid::toString).orElse(null)),
                SqlValue.of(found.next().isPresent() ? SqlTime.text(found.commitMicros()) : null),
                SqlValue.of(found.tso() == 0 ? null : Long.toString(found.tso())),
                SqlValue.of(found.before().toString()),
                SqlValue.of(
                        found.maybeEarlier()
                                ? "files before this one are purged: an earlier position is possible"
                                : ""));
    }
}
