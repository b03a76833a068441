package io.tributary.sink.kafka;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.sink.SinkFigures;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages in Kafka transactions, each with the place that it reaches as its last record. */
public final class TransactionOutbox implements Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionOutbox.class);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final double LATE_PART = 0.9;

    private final Producer<byte[], byte[]> producer;
    private final ProgressTopic progress;
    private final SinkFigures figures;
    private final Clock clock;
    private final long timeoutNanos;
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final SentMessages sent = new SentMessages(failure);
    private boolean isOpen;
    private boolean mayAbort = true;
    private long openedAt;
    private volatile ChangeTransaction committed;

    /**
     * Makes a producer and ends what an earlier one with its transactional id has left open; the earlier one is fenced.
     *
     * @param timeout of a Kafka transaction
     */
    public TransactionOutbox(
            KafkaSettings settings, ProgressTopic progress, SinkFigures figures, Clock clock, Duration timeout) {
        this.progress = progress;
        this.figures = figures;
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
        this.producer = settings.producer();
        try {
            producer.initTransactions();
        } catch (KafkaException e) {
            mayAbort = false;
            close();
            throw KafkaErrors.of(e, "begin with transactional id " + settings.transactionalId());
        }
    }

    @Override
    public void send(ProducerRecord<byte[], byte[]> message, String note) {
        poll();
        try {
            if (!isOpen) {
                producer.beginTransaction();
                isOpen = true;
                openedAt = clock.nanoTime();
            }
            var unused = producer.send(message, sent.sending(message, note));
        } catch (KafkaException e) {
            throw failed(e, "send a message to topic " + message.topic());
        }
    }

    @Override
    public void sentTo(String topic, TableName table) {
        send(progress.record(topic, table), "");
    }

    @Override
    public void commit(SinkPlace place, long transactions, boolean waits) {
        send(progress.record(place), "");
        long since = clock.nanoTime();
        try {
            producer.commitTransaction();
        } catch (KafkaException e) {
            throw failed(e, "commit a Kafka transaction");
        } finally {
            figures.waitedForBroker(clock.nanoTime() - since);
        }
        poll();
        isOpen = false;
        committed = place.finished();
        figures.committed(transactions);
    }

    @Override
    public void poll() {
        RuntimeException cause = failure.get();
        if (cause != null) {
            throw failed(cause, "send a message");
        }
    }

    /** An error of a message is the reason for what the producer throws later. */
    private RuntimeException failed(RuntimeException cause, String action) {
        RuntimeException first = failure.get();
        RuntimeException known = first == null ? KafkaErrors.of(cause, action) : first;
        ErrorCode code = known instanceof TributaryException own ? own.code() : null;
        mayAbort = code != ErrorCode.SINK_FENCED && code != ErrorCode.SINK_UNREACHABLE;
        long openNanos = clock.nanoTime() - openedAt;
        if (code == ErrorCode.SINK_FENCED && isOpen && openNanos > LATE_PART * timeoutNanos) {
            return new TributaryException(
                    ErrorCode.SINK_UNREACHABLE,
                    "Kafka: " + action + ": expected that the Kafka transaction ends within "
                            + Duration.ofNanos(timeoutNanos).toMillis()
                            + " ms (sink.transaction.timeout), found that it was open for "
                            + Duration.ofNanos(openNanos).toMillis() + " ms, so that the brokers have aborted it",
                    known);
        }
        return known;
    }

    @Override
    public ChangeTransaction committed() {
        return committed;
    }

    @Override
    public void close() {
        boolean isInterrupted = Thread.interrupted(); // otherwise the producer would refuse the calls
        try {
            if (isOpen) {
                figures.aborted();
                if (mayAbort) {
                    producer.abortTransaction();
                }
            }
        } catch (KafkaException e) {
            LOG.debug("Kafka transaction was not aborted: error=\"{}\"", e.getMessage());
        } finally {
            producer.close(mayAbort ? CLOSING : Duration.ZERO);
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
