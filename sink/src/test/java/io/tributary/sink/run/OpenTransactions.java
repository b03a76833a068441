package io.tributary.sink.run;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Whether topics have messages of a Kafka transaction that is neither committed nor aborted: the end of committed messages is before the end of all. */
final class OpenTransactions implements AutoCloseable {
    private final Admin admin;

    OpenTransactions(SinkRig rig) {
        this.admin = rig.admin();
    }

    /** Whether a partition of the topic has such messages. */
    boolean isIn(String topic) throws InterruptedException, ExecutionException {
        List<TopicPartition> partitions =
                admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
        Map<TopicPartition, Long> committed = ends(partitions, IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, Long> written = ends(partitions, IsolationLevel.READ_UNCOMMITTED);
        return partitions.stream().anyMatch(one -> committed.get(one) < written.get(one));
    }

    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, IsolationLevel level)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(Function.identity(), any -> OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> found =
                admin.listOffsets(asked, new ListOffsetsOptions(level)).all().get();
        return found.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, end -> end.getValue().offset()));
    }

    /** Stops the process (SIGSTOP) at a moment at which the topic has such messages. */
    void stopWithin(String topic, ChildProcess process) {
        Await.until("an open transaction in " + topic, SinkRig.LIMIT, () -> {
            process.pause();
            boolean isOpen = isIn(topic);
            if (!isOpen) {
                process.resume();
            }
            return isOpen;
        });
    }

    @Override
    public void close() {
        admin.close();
    }
}
