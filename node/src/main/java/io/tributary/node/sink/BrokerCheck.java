package io.tributary.node.sink;

import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;

/** Looks at the brokers of a sink, and at the topics that it does not make from the names of tables. Changes nothing. */
final class BrokerCheck {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String MESSAGE_BYTES = "max.message.bytes";

    private final Admin admin;
    private final SinkConfig keys;
    private final List<String> lines = new ArrayList<>();

    private BrokerCheck(Admin admin, SinkConfig keys) {
        this.admin = admin;
        this.keys = keys;
    }

    /**
     * One line for everything that does not fit, or that cannot be known.
     *
     * @throws io.tributary.common.error.TributaryException TLS_UNUSABLE if a file cannot be read
     */
    static List<String> of(SinkConfig keys) {
        Map<String, Object> settings = new HashMap<>(BrokerSettings.of(keys.kafka()));
        settings.put("request.timeout.ms", (int) LIMIT.toMillis());
        settings.put("default.api.timeout.ms", (int) LIMIT.toMillis());
        try (Admin admin = Admin.create(settings)) {
            return new BrokerCheck(admin, keys).run();
        } catch (KafkaException e) { // settings that Kafka's client does not accept, such as a name that is not known
            return List.of(text(e));
        }
    }

    /** An interface for what asks the brokers. */
    private interface Question {
        void ask() throws ExecutionException;
    }

    private List<String> run() {
        if (check("the brokers to answer", this::brokers)) {
            check("the settings of a broker", this::broker);
            check("the topics", this::topics);
        }
        return lines;
    }

    /** Returns false if there was no answer. */
    private boolean check(String expected, Question question) {
        try {
            question.ask();
            return true;
        } catch (ExecutionException e) {
            lines.add("expected " + expected + ", found " + text(e.getCause()));
            return false;
        }
    }

    private static String text(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure.getClass().getSimpleName() + ": " + failure.getMessage()
                + (cause == null ? "" : ": " + cause.getMessage());
    }

    private void brokers() throws ExecutionException {
        Collection<Node> nodes = get(admin.describeCluster().nodes());
        int factor = keys.topics().creation().replication();
        if (factor > nodes.size()) {
            lines.add("expected at least sink.topic.replication=" + factor + " brokers, found " + nodes.size());
        }
    }

    private void broker() throws ExecutionException {
        if (keys.delivery().guarantee() != Guarantee.EXACTLY_ONCE) {
            return;
        }
        Node any = get(admin.describeCluster().nodes()).iterator().next();
        Config config = config(new ConfigResource(ConfigResource.Type.BROKER, any.idString()));
        ConfigEntry longest = config.get("transaction.max.timeout.ms");
        Duration wanted = keys.delivery().commits().transaction();
        if (longest != null && Long.parseLong(longest.value()) < wanted.toMillis()) {
            lines.add("expected transaction.max.timeout.ms of at least sink.transaction.timeout, " + wanted.toMillis()
                    + ", found " + longest.value() + " on broker " + any.idString());
        }
    }

    private void topics() throws ExecutionException {
        Set<String> existing = get(admin.listTopics().names());
        SinkTopicsConfig.Special special = keys.topics().special();
        List<String> wanted = new ArrayList<>(List.of(special.progress()));
        special.transactions().ifPresent(wanted::add);
        if (keys.messages().parts().statements().topic().length() > 0) {
            wanted.add(keys.messages().parts().statements().topic());
        }
        if (!keys.topics().creation().mayCreate()) {
            wanted.stream()
                    .filter(topic -> !existing.contains(topic))
                    .forEach(topic -> lines.add("topic " + topic
                            + ": expected that it exists, because of sink.topic.create=false, found no such topic"));
        }
        List<String> found = wanted.stream().filter(existing::contains).collect(Collectors.toList());
        Map<String, TopicDescription> topics = get(admin.describeTopics(
                        found, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .allTopicNames());
        for (TopicDescription topic : topics.values()) {
            topic(topic, topic.name().equals(special.progress()));
        }
    }

    private void topic(TopicDescription topic, boolean isProgress) throws ExecutionException {
        Set<AclOperation> rights = topic.authorizedOperations();
        if (rights != null && !rights.contains(AclOperation.WRITE)) {
            lines.add("topic " + topic.name() + ": expected the right WRITE, found " + rights);
        }
        if (isProgress && rights != null && !rights.contains(AclOperation.READ)) {
            lines.add("topic " + topic.name() + ": expected the right READ, found " + rights);
        }
        Config config = config(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()));
        if (isProgress) {
            if (topic.partitions().size() != 1) {
                lines.add("topic " + topic.name() + ": expected 1 partition, found "
                        + topic.partitions().size());
            }
            ConfigEntry cleanup = config.get("cleanup.policy");
            if (cleanup != null && !cleanup.value().equals("compact")) {
                lines.add("topic " + topic.name() + ": expected cleanup.policy=compact, so that the progress is never"
                        + " deleted, found " + cleanup.value());
            }
        }
        messageBytes(topic.name(), config.get(MESSAGE_BYTES));
    }

    /** Large messages are replaced above our limit, which counts before compression: one above the limit of the topic would be refused. */
    private void messageBytes(String topic, ConfigEntry limit) {
        long ours = keys.delivery().large().bytes().bytes();
        boolean isReplaced = keys.delivery().large().treatment() != LargeMessages.Kind.ERROR;
        if (isReplaced && limit != null && Long.parseLong(limit.value()) < ours) {
            lines.add("topic " + topic + ": expected " + MESSAGE_BYTES + " of at least sink.message.bytes, " + ours
                    + ", found " + limit.value() + ": messages between the two are refused by the broker");
        }
    }

    private Config config(ConfigResource resource) throws ExecutionException {
        return get(admin.describeConfigs(List.of(resource)).all()).get(resource);
    }

    private static <T> T get(KafkaFuture<T> answer) throws ExecutionException {
        try {
            return answer.get(2 * LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ExecutionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while the brokers were asked");
        }
    }
}
