package io.tributary.node.ddl;

import io.tributary.collector.schema.ShardTables;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.schema.list.ReportedTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The stage that requests the tables and their definitions from each shard of a pipeline while the pipeline runs. The collector needs them: a DDL
 * statement can wait only for members that the collector knows. If a shard does not answer, or its account does not see the tables, the request is
 * repeated with growing pauses.
 */
public final class TableRequests implements Stage {
    /** Short, because DDL statements of a shard may wait until its answers have been read. */
    private static final long REST_NANOS = Duration.ofMillis(2).toNanos();

    private final TableNames names;
    private final MysqlClient client;
    private final Collecting collector;
    private final Clock clock;
    private final StageCalls calls = new StageCalls();
    private final Map<Integer, Asked> shards = new HashMap<>();
    private final List<TableRequest> open = new ArrayList<>();
    private final List<DefinitionRequest> questions = new ArrayList<>();

    /**
     * A shard whose tables are requested.
     *
     * @param index the shard's index in its tokens
     */
    public record Asked(int index, String name, ShardConfig config) {}

    /** The receiver of the tables of a shard. */
    public interface Collecting {
        /**
         * Processes the tables.
         *
         * @param shard the shard's index
         * @return completes when it has processed them; fails if the pipeline ends first
         */
        CompletableFuture<Void> tables(int shard, ShardTables tables);
    }

    /**
     * @param shards the shards whose tables are requested immediately
     * @param names the tables that are read, and their logical names
     */
    public TableRequests(List<Asked> shards, TableNames names, MysqlClient client, Collecting collector, Clock clock) {
        this.names = names;
        this.client = client;
        this.collector = collector;
        this.clock = clock;
        shards.forEach(shard -> {
            this.shards.put(shard.index(), shard);
            open.add(new TableRequest(shard, names));
        });
    }

    /** Checks whether the tables of a shard can be read; any thread. Fails with the reason if not. The answer itself is not kept. */
    public CompletableFuture<Void> check(String shard, ShardConfig config) {
        return names.canAsk(shard, config, client);
    }

    /** Requests the tables of one more shard; any thread. Completes when the collector has them; fails if the pipeline ends first. */
    public CompletableFuture<Void> request(Asked shard) {
        TableRequest list = new TableRequest(shard, names);
        return calls.submit(() -> {
                    shards.put(shard.index(), shard);
                    open.add(list);
                })
                .thenCompose(added -> list.accepted());
    }

    /** Requests the definition of one table from a shard until it answers; any thread. Fails if the pipeline ends or the shard is removed first. */
    public CompletableFuture<Optional<ReportedTable>> definition(int shard, TableName physical) {
        CompletableFuture<Optional<ReportedTable>> answer = new CompletableFuture<>();
        return calls.submit(() -> {
                    Asked asked = shards.get(shard);
                    if (asked == null) {
                        answer.cancel(false);
                    } else {
                        questions.add(new DefinitionRequest(asked, physical, answer));
                    }
                })
                .thenCompose(added -> answer);
    }

    /** Ends all requests to a shard that is no longer read; any thread. */
    public void forget(String shard) {
        var unused = calls.submit(() -> drop(shard)); // nothing waits for it
    }

    private void drop(String shard) {
        open.stream().filter(list -> list.shard().equals(shard)).forEach(TableRequest::close);
        open.removeIf(list -> list.shard().equals(shard));
        shards.values().removeIf(each -> each.name().equals(shard));
        questions.stream().filter(each -> each.shard().equals(shard)).forEach(DefinitionRequest::cancel);
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
        for (TableRequest list : open) {
            done += list.step(client, collector, now);
        }
        open.removeIf(TableRequest::isAccepted);
        for (DefinitionRequest question : questions) {
            done += question.step(names, client, now);
        }
        questions.removeIf(DefinitionRequest::isDone);
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
        open.forEach(TableRequest::cancel);
        open.clear();
        questions.forEach(DefinitionRequest::cancel);
        questions.clear();
    }
}
