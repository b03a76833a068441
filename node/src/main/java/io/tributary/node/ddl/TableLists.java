package io.tributary.node.ddl;

import io.tributary.collector.schema.ShardTables;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.schema.list.ShownTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks each shard of a pipeline for its tables and their definitions, beside what runs, until it has answered: the collector lets no DDL statement wait for members
 * that it does not know. A shard that is away, or whose account does not see its tables, is asked again, with growing pauses.
 */
public final class TableLists implements Stage {
    /** Short, as DDL statements of a shard may wait until its answers have been read. */
    private static final long REST_NANOS = Duration.ofMillis(2).toNanos();

    private final TableNames names;
    private final MysqlClient client;
    private final Collecting collector;
    private final Clock clock;
    private final StageCalls calls = new StageCalls();
    private final Map<Integer, Asked> shards = new HashMap<>();
    private final List<TableList> open = new ArrayList<>();
    private final List<TableQuestion> questions = new ArrayList<>();

    /**
     * A shard to be asked.
     *
     * @param index what its tokens carry
     */
    public record Asked(int index, String name, ShardConfig config) {}

    /** Takes the tables of a shard, by its index. */
    public interface Collecting {
        CompletableFuture<Void> tables(int shard, ShardTables tables);
    }

    /**
     * @param shards asked at once
     * @param names which tables count, and under which names
     */
    public TableLists(List<Asked> shards, TableNames names, MysqlClient client, Collecting collector, Clock clock) {
        this.names = names;
        this.client = client;
        this.collector = collector;
        this.clock = clock;
        shards.forEach(shard -> {
            this.shards.put(shard.index(), shard);
            open.add(new TableList(shard, names));
        });
    }

    /** Asks a shard and keeps nothing of the answer; any thread. Fails with why its tables cannot be known. */
    public CompletableFuture<Void> canAsk(String shard, ShardConfig config) {
        return names.canAsk(shard, config, client);
    }

    /** Asks one more shard; any thread. Completes once the collector has its tables; fails when the pipeline ends first. */
    public CompletableFuture<Void> ask(Asked shard) {
        TableList list = new TableList(shard, names);
        return calls.tell(() -> {
                    shards.put(shard.index(), shard);
                    open.add(list);
                })
                .thenCompose(added -> list.given());
    }

    /** Asks a shard for the definition of one table until it answers; any thread. Fails when the pipeline or the shard ends first. */
    public CompletableFuture<Optional<ShownTable>> definition(int shard, TableName physical) {
        CompletableFuture<Optional<ShownTable>> answer = new CompletableFuture<>();
        return calls.tell(() -> {
                    Asked asked = shards.get(shard);
                    if (asked == null) {
                        answer.cancel(false);
                    } else {
                        questions.add(new TableQuestion(asked, physical, answer));
                    }
                })
                .thenCompose(added -> answer);
    }

    /** A shard is not read any more: it is not asked again; any thread. */
    public void forget(String shard) {
        var unused = calls.tell(() -> drop(shard)); // nobody waits for it
    }

    private void drop(String shard) {
        open.stream().filter(list -> list.shard().equals(shard)).forEach(TableList::close);
        open.removeIf(list -> list.shard().equals(shard));
        shards.values().removeIf(each -> each.name().equals(shard));
        questions.stream().filter(each -> each.shard().equals(shard)).forEach(TableQuestion::cancel);
    }

    @Override
    public String name() {
        return "tables";
    }

    @Override
    public int doWork() {
        int done = calls.run();
        if (isIdle()) {
            return done;
        }
        long now = clock.nanoTime();
        for (TableList list : open) {
            done += list.step(client, collector, now);
        }
        open.removeIf(TableList::isGiven);
        for (TableQuestion question : questions) {
            done += question.step(names, client, now);
        }
        questions.removeIf(TableQuestion::isDone);
        return done;
    }

    private boolean isIdle() {
        return open.isEmpty() && questions.isEmpty();
    }

    @Override
    public long restNanos() {
        return isIdle() ? LONGEST_REST_NANOS : REST_NANOS;
    }

    @Override
    public void close() {
        calls.close();
        open.forEach(TableList::cancel);
        open.clear();
        questions.forEach(TableQuestion::cancel);
        questions.clear();
    }
}
