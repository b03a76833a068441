package io.tributary.serve.history;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.JournalAt;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.Wakeup;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.find.FoundPosition;
import io.tributary.serve.find.PositionSearch;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.sql.SqlRefusal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers questions about the definitions of tables at a place of the binlog, one after another, on a separate thread: finding the place and
 * reading the journal up to there takes time. Any thread may ask.
 */
public final class SchemaHistory implements Stage {
    private static final int MAX_WAITING = 64;

    private final BinlogFiles files;
    private final Supplier<BinlogPosition> end;
    private final JournalAt newest;
    private final JournalAt earlier;
    private final BlockingQueue<Question<?>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Wakeup wakeup = new Wakeup();
    private volatile boolean isClosed;

    /** A question, how its answer is made from the tables, and the answer. */
    private record Question<T>(Optional<Gtid> upTo, Function<KnownTables, T> reading, CompletableFuture<T> answer) {}

    /**
     * Creates the stage.
     *
     * @param end supplies the end of the readable binlog
     */
    public SchemaHistory(BinlogFiles files, Supplier<BinlogPosition> end) {
        this.files = files;
        this.end = end;
        this.newest = new JournalAt(files, "journal.newest");
        this.earlier = new JournalAt(files, "journal.earlier");
    }

    /**
     * Reads the tables as of the end of the readable binlog.
     *
     * @param reading makes the answer, on the history's thread; an exception of it is the answer's failure
     * @return fails with {@link SqlRefusal} when too many questions wait
     */
    public <T> CompletableFuture<T> atEnd(Function<KnownTables, T> reading) {
        return ask(new Question<>(Optional.empty(), reading, new CompletableFuture<>()));
    }

    /** As {@link #atEnd}, as of the end of a transaction; fails with ER_MASTER_FATAL_ERROR_READING_BINLOG when it does not exist or is purged. */
    public <T> CompletableFuture<T> after(Gtid upTo, Function<KnownTables, T> reading) {
        return ask(new Question<>(Optional.of(upTo), reading, new CompletableFuture<>()));
    }

    private <T> CompletableFuture<T> ask(Question<T> question) {
        if (isClosed || !waiting.offer(question)) {
            return CompletableFuture.failedFuture(new SqlRefusal(
                    MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE,
                    isClosed ? "the node stops" : "too many questions about schemas are waiting"));
        }
        if (isClosed) {
            refuseAll(); // close() may have refused the waiting questions before this one was added
        }
        wakeup.ring();
        return question.answer();
    }

    @Override
    public String name() {
        return "schema-history";
    }

    @Override
    public int doWork() {
        Question<?> question = waiting.poll();
        if (question == null) {
            wakeup.listen();
            question = waiting.poll();
        }
        if (question == null) {
            return 0;
        }
        answer(question);
        return 1;
    }

    private <T> void answer(Question<T> question) {
        if (question.answer().isDone()) {
            return; // the client does not wait any more
        }
        try {
            question.answer().complete(question.reading().apply(tables(question.upTo())));
        } catch (TributaryException e) {
            boolean isRefused = e.code() == ErrorCode.READER_REFUSED;
            question.answer()
                    .completeExceptionally(
                            isRefused
                                    ? new SqlRefusal(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, e.getMessage())
                                    : e);
        } catch (IOException | RuntimeException e) { // reported to the client
            question.answer().completeExceptionally(e);
        }
    }

    private KnownTables tables(Optional<Gtid> upTo) throws IOException {
        BinlogPosition now = end.get();
        boolean isLast = upTo.isEmpty()
                || upTo.get().gno() == now.gno() && upTo.get().sid().equals(sid());
        if (isLast) {
            newest.moveTo(FileOffset.of(now));
            Optional<Gtid> last = now.gno() == 0 ? Optional.empty() : Optional.of(new Gtid(sid(), now.gno()));
            return new KnownTables(newest.map(), last);
        }
        earlier.moveTo(place(upTo.get(), now));
        return new KnownTables(earlier.map(), upTo);
    }

    private Sid sid() {
        return new Sid(files.serverUuid());
    }

    /** The place where the transaction begins: its changes of definitions precede it. */
    private FileOffset place(Gtid gtid, BinlogPosition now) throws IOException {
        try (PositionSearch search = new PositionSearch(files, new SearchGoal.Transaction(gtid), now)) {
            Optional<FoundPosition> found = search.step();
            while (found.isEmpty()) {
                found = search.step();
            }
            String name = found.get().file();
            BinlogFile file = files.find(name)
                    .orElseThrow(() -> new TributaryException(
                            ErrorCode.READER_REFUSED,
                            "expected transaction " + gtid + " in " + name + ", found that file purged"));
            return new FileOffset(file.number(), found.get().offset());
        }
    }

    private void refuseAll() {
        for (Question<?> left = waiting.poll(); left != null; left = waiting.poll()) {
            left.answer()
                    .completeExceptionally(
                            new SqlRefusal(MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE, "the node stops"));
        }
    }

    @Override
    public void close() {
        isClosed = true;
        refuseAll();
        newest.close();
        earlier.close();
    }
}
