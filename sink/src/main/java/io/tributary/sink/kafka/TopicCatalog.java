package io.tributary.sink.kafka;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.sink.SinkPlan;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics and their partitions, asked for once in a run; creates missing ones if this is allowed. For one thread. */
public final class TopicCatalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCatalog.class);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Admin admin;
    private final SinkPlan.Topics plan;
    private final Clock clock;
    private final long limitNanos;
    private final Map<String, Integer> partitions = new HashMap<>();

    /** @param limit how long a topic that was just created may be unknown to some brokers */
    public TopicCatalog(KafkaSettings settings, SinkPlan.Topics plan, Clock clock, Duration limit) {
        this.admin = settings.admin();
        this.plan = plan;
        this.clock = clock;
        this.limitNanos = limit.toNanos();
    }

    /**
     * The number of partitions of a topic that messages are sent to.
     *
     * @throws TributaryException SINK_TOPIC_UNFIT if there is no such topic, and it may not be created
     */
    public int partitions(String topic) {
        Integer known = partitions.get(topic);
        if (known != null) {
            return known;
        }
        int found = existing(topic).orElseGet(() -> create(topic, plan.partitions(), Map.of()));
        awaitLeaders(topic, found);
        partitions.put(topic, found);
        return found;
    }

    /**
     * Waits until the leader of each partition answers. While a new topic gets its leaders, a broker could refuse the first batches of the producer and
     * accept the ones after them, which it cannot know to be out of order.
     */
    private void awaitLeaders(String topic, int count) {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (int partition = 0; partition < count; partition++) {
            all.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        long deadline = clock.nanoTime() + limitNanos;
        while (!haveLeaders(topic, all, deadline)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean haveLeaders(String topic, Map<TopicPartition, OffsetSpec> all, long deadline) {
        try {
            var unused = admin.listOffsets(all).all().get();
            return true;
        } catch (ExecutionException e) {
            boolean mayAppear = e.getCause() instanceof UnknownTopicOrPartitionException;
            if (mayAppear && clock.nanoTime() - deadline < 0) {
                return false;
            }
            throw KafkaErrors.of(e, "find the leaders of topic " + topic);
        } catch (InterruptedException e) {
            throw KafkaErrors.of(e, "find the leaders of topic " + topic);
        }
    }

    /** The partitions of a topic of which changes of one row must be in the same one; empty if there is no such topic. */
    public Optional<Integer> existing(String topic) {
        try {
            return Optional.of(admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw KafkaErrors.of(e, "describe topic " + topic);
        } catch (InterruptedException e) {
            throw KafkaErrors.of(e, "describe topic " + topic);
        }
    }

    /** Those of some topics that exist. */
    public Set<String> existing(Collection<String> topics) {
        Set<String> found = new HashSet<>();
        admin.describeTopics(topics).topicNameValues().forEach((topic, description) -> {
            try {
                var unused = description.get();
                found.add(topic);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw KafkaErrors.of(e, "describe topic " + topic);
                }
            } catch (InterruptedException e) {
                throw KafkaErrors.of(e, "describe topic " + topic);
            }
        });
        return found;
    }

    private int create(String topic, int count, Map<String, String> settings) {
        if (!plan.mayCreate()) {
            throw new TributaryException(
                    ErrorCode.SINK_TOPIC_UNFIT,
                    "expected the topic " + topic + ", found none | create it with " + count
                            + (count == 1 ? " partition" : " partitions")
                            + (settings.isEmpty() ? "" : " and " + settings) + ", or set sink.topic.create=true");
        }
        try {
            admin.createTopics(List.of(new NewTopic(topic, count, plan.replication()).configs(settings)))
                    .all()
                    .get();
            LOG.info("topic was created: topic={} partitions={} replication={}", topic, count, plan.replication());
            return count;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return existing(topic).orElse(count);
            }
            throw KafkaErrors.of(e, "create topic " + topic);
        } catch (InterruptedException e) {
            throw KafkaErrors.of(e, "create topic " + topic);
        }
    }

    /**
     * Checks the topic of progress, or creates it.
     *
     * @throws TributaryException SINK_TOPIC_UNFIT if it has several partitions or is not compacted
     */
    public void requireProgress(String topic) {
        Optional<Integer> found = existing(topic);
        if (found.isEmpty()) {
            int count = create(topic, 1, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
            awaitLeaders(topic, count);
            return;
        }
        String policy = cleanup(topic);
        if (found.get() != 1 || !policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new TributaryException(
                    ErrorCode.SINK_TOPIC_UNFIT,
                    "topic of progress " + topic + ": expected one partition and cleanup.policy=compact, found "
                            + found.get() + " and " + policy + " | correct it, or choose another sink.progress.topic");
        }
    }

    private String cleanup(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                    .value();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                LOG.warn(
                        "cleanup.policy of the topic of progress is not known: topic={} right=DESCRIBE_CONFIGS", topic);
                return TopicConfig.CLEANUP_POLICY_COMPACT;
            }
            throw KafkaErrors.of(e, "read the settings of topic " + topic);
        } catch (InterruptedException e) {
            throw KafkaErrors.of(e, "read the settings of topic " + topic);
        }
    }

    /** The offset after the last record of a topic of one partition, committed or not. */
    long end(String topic) {
        TopicPartition only = new TopicPartition(topic, 0);
        KafkaFuture<Long> end = admin.listOffsets(Map.of(only, OffsetSpec.latest()))
                .partitionResult(only)
                .thenApply(result -> result.offset());
        try {
            return end.get();
        } catch (ExecutionException | InterruptedException e) {
            throw KafkaErrors.of(e, "read the end of topic " + topic);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
