package io.tributary.sink.run;

import io.tributary.common.gtid.GtidSet;
import io.tributary.replay.session.Peer;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.route.DispatchRules;
import io.tributary.sink.route.TopicExpression;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes plans that differ in some points from one for tests. */
final class SinkPlans {
    static final Duration SECOND = Duration.ofSeconds(1);

    String name = "test";
    final Map<String, Object> settings = new HashMap<>();
    TopicExpression topics = TopicExpression.BY_TABLE;
    int partitions = 3;
    short replication = 1;
    boolean mayCreate = true;
    boolean acceptsPartitions;
    Optional<String> transactions = Optional.empty();
    MessageFormat format = new TextFormat(false);
    List<String> rules = List.of();
    String schema = "shop";
    ColumnMasks masks = ColumnMasks.NONE;
    DdlTreatment ddl = DdlTreatment.NONE;
    boolean hasHeaders = true;
    Guarantee guarantee = Guarantee.EXACTLY_ONCE;
    LargeMessages large = LargeMessages.ERROR;
    boolean splits;
    Duration watermark = Duration.ZERO;
    Optional<GtidSet> start = Optional.empty();
    Optional<Peer> snapshot = Optional.empty();
    int workers = 2;
    long memory = 32L << 20;
    SinkPlan.Commit commit = new SinkPlan.Commit(Duration.ofMillis(100), 5000, 8L << 20);
    int messageBytes = 4 << 20;
    SinkPlan.Timeouts timeouts =
            new SinkPlan.Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(60));

    SinkPlans(String addresses) {
        settings.put("bootstrap.servers", addresses);
    }

    SinkPlan plan() {
        return new SinkPlan(
                name,
                new SinkPlan.Target(
                        settings,
                        new SinkPlan.Topics(topics, partitions, replication, mayCreate, acceptsPartitions),
                        SinkPlan.Target.PROGRESS_TOPIC,
                        transactions),
                new SinkPlan.Messages(
                        format,
                        DispatchRules.of(rules),
                        new SinkPlan.Selection(table -> table.schema().startsWith(schema), masks),
                        ddl,
                        hasHeaders),
                new SinkPlan.Delivery(guarantee, large, splits, watermark, start, snapshot),
                new SinkPlan.Limits(workers, memory, commit, messageBytes, timeouts));
    }
}
