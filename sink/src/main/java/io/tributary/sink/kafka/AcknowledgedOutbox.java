package io.tributary.sink.kafka;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.sink.SinkFigures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Sends messages without Kafka transactions; the place is sent when all messages up to it are acknowledged. */
public final class AcknowledgedOutbox implements Outbox {
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final Producer<byte[], byte[]> producer;
    private final ProgressTopic progress;
    private final SinkFigures figures;
    private final Clock clock;
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final Deque<Reached> reached = new ArrayDeque<>();
    private SentMessages sent = new SentMessages(failure);
    private volatile ChangeTransaction committed;

    /** A place, and the messages that were sent after the one before it. */
    private record Reached(SinkPlace place, long transactions, SentMessages messages) {}

    /** Makes a producer. */
    public AcknowledgedOutbox(KafkaSettings settings, ProgressTopic progress, SinkFigures figures, Clock clock) {
        this.progress = progress;
        this.figures = figures;
        this.clock = clock;
        this.producer = settings.producer();
    }

    @Override
    public void send(ProducerRecord<byte[], byte[]> message, String note) {
        requireNoFailure();
        try {
            var unused = producer.send(message, sent.sending(message, note));
        } catch (KafkaException e) {
            throw KafkaErrors.of(e, "send a message to topic " + message.topic());
        }
    }

    private void requireNoFailure() {
        RuntimeException cause = failure.get();
        if (cause != null) {
            throw cause;
        }
    }

    @Override
    public void sentTo(String topic, TableName table) {
        send(progress.record(topic, table), "");
    }

    @Override
    public void commit(SinkPlace place, long transactions, boolean waits) {
        reached.add(new Reached(place, transactions, sent));
        sent = new SentMessages(failure);
        if (waits) {
            long since = clock.nanoTime();
            flush();
            poll(); // sends the place
            flush();
            figures.waitedForBroker(clock.nanoTime() - since);
        }
        poll();
    }

    private void flush() {
        try {
            producer.flush();
        } catch (KafkaException e) {
            throw KafkaErrors.of(e, "wait for the acknowledgement of messages");
        }
    }

    @Override
    public void poll() {
        requireNoFailure();
        SinkPlace newest = null;
        while (!reached.isEmpty() && reached.peek().messages().areAcknowledged()) {
            Reached next = reached.remove();
            newest = next.place();
            figures.committed(next.transactions());
        }
        if (newest != null) {
            store(newest);
        }
    }

    private void store(SinkPlace place) {
        try {
            var unused = producer.send(progress.record(place), (metadata, error) -> {
                if (error == null) {
                    committed = place.finished();
                } else {
                    failure.compareAndSet(null, KafkaErrors.of(error, "store the place of the sink"));
                }
            });
        } catch (KafkaException e) {
            throw KafkaErrors.of(e, "store the place of the sink");
        }
    }

    @Override
    public ChangeTransaction committed() {
        return committed;
    }

    @Override
    public void close() {
        boolean isInterrupted = Thread.interrupted(); // otherwise the producer would refuse the call
        producer.close(failure.get() == null ? CLOSING : Duration.ZERO);
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
