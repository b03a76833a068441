package io.tributary.dumper.serve;

import io.netty.util.concurrent.EventExecutor;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.Purge;
import io.tributary.dumper.find.EventListing;
import io.tributary.dumper.find.FoundPosition;
import io.tributary.dumper.find.PositionSearch;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.history.KnownTables;
import io.tributary.dumper.history.SchemaHistory;
import io.tributary.dumper.schema.DefinitionList;
import io.tributary.dumper.sql.LikePattern;
import io.tributary.dumper.sql.SqlRefusal;
import io.tributary.dumper.sql.SqlTime;
import io.tributary.dumper.sql.SqlValue;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What statements order, done on the event loops in small steps, so that readers go on meanwhile. */
final class LiveOrders implements BinlogOrders {
    private static final int MOST_EVENTS = 100_000;
    private static final long PATIENCE_SECONDS = 30;
    private static final int LOG_IN_USE = 1378;
    private static final int UNKNOWN_TARGET_LOG = 1373;

    private final BinlogFiles files;
    private final SemiSyncGate gate;
    private final Archive archive;
    private final Supplier<EventExecutor> loops;
    private final SchemaHistory history;
    private final long mostBytes;

    /**
     * @param gate up to where events are shown and places are found
     * @param archive where files are kept that may be purged here
     * @param history answers with definitions of tables
     * @param mostBytes of such an answer
     */
    LiveOrders(
            BinlogFiles files,
            SemiSyncGate gate,
            Archive archive,
            Supplier<EventExecutor> loops,
            SchemaHistory history,
            long mostBytes) {
        this.history = history;
        this.mostBytes = mostBytes;
        this.archive = archive;
        this.files = files;
        this.gate = gate;
        this.loops = loops;
    }

    @Override
    public CompletableFuture<Answer> rotate() {
        Optional<BinlogFile> ended = files.endSoon();
        if (ended.isEmpty()) {
            return CompletableFuture.completedFuture(Answer.OK);
        }
        int number = ended.get().number();
        return whenBinlog(
                () -> files.durableEnd().file().number() > number,
                "No cut was written in " + PATIENCE_SECONDS + " s: " + ended.get()
                        + " ends with the next one; see the node's status");
    }

    /** @param lacking what a client is told where it is not so within 30 s */
    private CompletableFuture<Answer> whenBinlog(BooleanSupplier isSo, String lacking) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Runnable look = () -> {
            if (isSo.getAsBoolean()) {
                answer.complete(Answer.OK);
            }
        };
        files.subscribe(look);
        var expiry = loops.get()
                .schedule(
                        () -> answer.completeExceptionally(new SqlRefusal(3024, "HY000", lacking)),
                        PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
        var unused = answer.whenComplete((done, failure) -> {
            files.unsubscribe(look);
            expiry.cancel(false);
        });
        look.run();
        return answer;
    }

    @Override
    public CompletableFuture<Answer> purgeTo(String file) {
        return onLoop(() -> {
                    if (files.find(file).isEmpty()) {
                        throw new SqlRefusal(
                                UNKNOWN_TARGET_LOG, "HY000", "Target log not found in binlog index: " + file);
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

    /** Where only the journal needs a file, a snapshot is on its way, and the purge is done behind it. */
    private CompletableFuture<Answer> purged(Purge purge, String to) {
        if (!purge.awaitsSnapshot()) {
            return onLoop(() -> answer(purge));
        }
        int number = files.find(to).map(BinlogFile::number).orElse(0);
        return whenBinlog(
                        () -> files.firstNeeded() >= number,
                        purge.held().orElse("")
                                + " has the only snapshot of the definitions of tables, and the next was not written in "
                                + PATIENCE_SECONDS + " s; see the node's status")
                .thenCompose(written -> onLoop(() -> answer(files.purgeTo(to))));
    }

    private Answer answer(Purge purge) {
        purge.held().ifPresent(held -> {
            throw new SqlRefusal(
                    LOG_IN_USE,
                    "HY000",
                    "A purgeable log is in use, will not purge: " + held
                            + (isMissing(held) ? " is not backed up yet" : " is being read") + "; purged "
                            + (purge.purged().isEmpty() ? "nothing" : purge.purged()));
        });
        return Answer.OK;
    }

    /** Whether the archive, where there is one, has yet to get a file. */
    private boolean isMissing(String file) {
        return archive != Archive.NONE
                && archive.files().stream().noneMatch(kept -> kept.name().equals(file));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loops.get().execute(() -> {
            try {
                answer.complete(work.get());
            } catch (RuntimeException e) { // SessionCommands tells the client
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Work that is done in steps until it has an answer. */
    private interface Steps extends AutoCloseable {
        Optional<Answer> step() throws IOException;

        @Override
        void close() throws IOException;
    }

    private CompletableFuture<Answer> inSteps(Steps steps) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        step(steps, answer, loops.get());
        return answer;
    }

    private static void step(Steps steps, CompletableFuture<Answer> answer, EventExecutor loop) {
        loop.execute(() -> {
            try {
                Optional<Answer> done = answer.isDone() ? Optional.of(Answer.OK) : steps.step();
                if (done.isEmpty()) {
                    step(steps, answer, loop);
                } else {
                    steps.close();
                    answer.complete(done.get());
                }
            } catch (IOException | RuntimeException e) { // SessionCommands tells the client
                closeQuietly(steps, e);
                answer.completeExceptionally(e);
            }
        });
    }

    private static void closeQuietly(Steps steps, Exception cause) {
        try {
            steps.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public CompletableFuture<Answer> events(EventsWanted wanted) {
        BinlogFile file = wanted.file().isEmpty()
                ? files.first()
                : files.find(wanted.file())
                        .filter(found -> gate.end(found) > 0)
                        .orElseThrow(() -> eventsRefused("Could not find target log"));
        long end = gate.end(file);
        if (wanted.from() > end) {
            throw eventsRefused("the position " + wanted.from() + " is past the end of " + file.name());
        }
        EventListing listing = new EventListing(
                file,
                wanted.from(),
                wanted.skip(),
                Math.min(MOST_EVENTS, wanted.count().orElse(MOST_EVENTS)),
                wanted.reads(),
                end);
        return inSteps(new Steps() {
            @Override
            public Optional<Answer> step() throws IOException {
                try {
                    return listing.step() ? Optional.of(listed(listing, wanted)) : Optional.empty();
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
        return new SqlRefusal(1220, "HY000", "Error when executing command SHOW BINLOG EVENTS: " + why);
    }

    private static Answer listed(EventListing listing, EventsWanted wanted) {
        if (listing.hasMore() && wanted.count().orElse(Long.MAX_VALUE) > MOST_EVENTS) {
            throw eventsRefused("there are more than " + MOST_EVENTS + " events; say LIMIT, and FROM for those behind");
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
        return inSteps(new Steps() {
            @Override
            public Optional<Answer> step() throws IOException {
                return search.step().map(LiveOrders::found);
            }

            @Override
            public void close() throws IOException {
                search.close();
            }
        });
    }

    @Override
    public CompletableFuture<Answer> definitions(DefinitionsWanted wanted) {
        Predicate<String> like = LikePattern.of(wanted.like()).asMatchPredicate();
        Function<KnownTables, Answer> reading = tables ->
                Answer.Rows.of(DefinitionList.COLUMNS, DefinitionList.rows(tables, wanted.reads(), like, mostBytes));
        return wanted.upTo().isPresent() ? history.behind(wanted.upTo().get(), reading) : history.atEnd(reading);
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
                SqlValue.of(found.maybeEarlier() ? "files before this one are purged: there may have been more" : ""));
    }
}
