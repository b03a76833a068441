package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.node.command.order.StoredFiles;
import io.tributary.node.command.order.TemporaryFolder;
import io.tributary.node.console.RowQuestion;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.StopSignal;
import io.tributary.node.replica.WorkerThreads;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The search of the web console in the node's binlog files, as by {@code tributary log}. It uses a thread for each search. */
public final class StoredRowSearch implements RowSearch, AutoCloseable {
    private final Supplier<BinlogConfig> config;
    private final WorkerThreads threads = new WorkerThreads("row-search");

    /** @param config the place of the files; asked for at each search */
    public StoredRowSearch(Supplier<BinlogConfig> config) {
        this.config = config;
    }

    @Override
    public CompletableFuture<Map<String, Object>> find(RowQuestion question, boolean showsValues, StopSignal stop) {
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        threads.executor().execute(() -> {
            try {
                answer.complete(found(question, showsValues, stop));
            } catch (RuntimeException | Error e) { // of the question, or of the files: the caller reports it
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private Map<String, Object> found(RowQuestion question, boolean showsValues, StopSignal stop) {
        StoredFiles files = StoredFiles.inFolder(config.get(), stop);
        SearchPlace from = SearchPlace.of(question.range().after());
        LogSelection selection = selection(question, files, from);
        RowPage page = new RowPage(showsValues, stop, from);
        LogHandler handler = new LogHandler(selection, page, Long.MAX_VALUE);
        boolean isComplete = walk(files, selection, handler, stop);
        long first = Math.max(from.gno(), files.before(files.list().get(0)) + 1);
        long last = handler.last().map(begun -> begun.gtid().gno()).orElse(from.gno());
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("rows", page.rows());
        answer.put("showsValues", showsValues);
        answer.put("first", files.gtid(first).toString());
        answer.put("last", last == 0 ? null : files.gtid(last).toString());
        answer.put("lastTime", handler.last().map(TextLog::time).orElse(""));
        answer.put("next", isComplete ? null : new SearchPlace(last, page.passed(last)).toString());
        return answer;
    }

    private static LogSelection selection(RowQuestion question, StoredFiles files, SearchPlace from) {
        RowQuestion.Range range = question.range();
        Optional<TableName> table = table(question.table());
        if (!question.key().isEmpty() && table.isEmpty()) {
            throw new IllegalArgumentException("expected a table for the key, found none");
        }
        return new LogSelection(
                table,
                question.key(),
                range.since().isEmpty() ? Long.MIN_VALUE : SqlTime.micros(SqlValue.of(range.since())),
                range.until().isEmpty() ? Long.MAX_VALUE : SqlTime.micros(SqlValue.of(range.until())),
                gtids(range.gtids(), files, from));
    }

    private static Optional<TableName> table(String text) {
        int dot = text.indexOf('.');
        if (!text.isEmpty() && (dot <= 0 || dot == text.length() - 1)) {
            throw new IllegalArgumentException("expected a table as SCHEMA.TABLE, found '" + text + "'");
        }
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(new TableName(text.substring(0, dot), text.substring(dot + 1)));
    }

    private static Optional<GtidSet> gtids(String text, StoredFiles files, SearchPlace from) {
        GtidSet wanted = GtidSet.parse(text);
        if (!wanted.isEmpty() && wanted.last(files.sid()) == 0) {
            throw new IllegalArgumentException("expected transactions of the binlog, such as " + files.gtid(1)
                    + ", found " + wanted.line() + ": for a transaction of a shard see tributary origin");
        }
        if (from.gno() == 0) {
            return wanted.isEmpty() ? Optional.empty() : Optional.of(wanted);
        }
        GtidSet rest = GtidSet.EMPTY.toBuilder()
                .addRange(files.sid(), from.gno(), Long.MAX_VALUE - 1)
                .build();
        return Optional.of(wanted.isEmpty() ? rest : rest.intersect(wanted));
    }

    /** Whether the walk reached the end of the selection. */
    private static boolean walk(StoredFiles files, LogSelection selection, LogHandler handler, StopSignal stop) {
        try {
            Path spill = Files.createTempDirectory("tributary-search");
            try (JournalMap definitions = JournalMap.at(spill.resolve("definitions"))) {
                new LogWalk(files, selection, new StoredDefinitions(files, definitions), handler, done -> {}).run();
                return !stop.isRequested();
            } finally {
                TemporaryFolder.delete(spill);
            }
        } catch (IOException e) {
            throw IoErrors.of(Path.of(System.getProperty("java.io.tmpdir")), "use a temporary folder", e);
        } catch (TributaryException e) {
            if (stop.isRequested()) {
                return false; // the answer has what was found until then
            }
            throw e;
        }
    }

    /** Interrupts the searches. */
    @Override
    public void close() {
        threads.close();
    }
}
