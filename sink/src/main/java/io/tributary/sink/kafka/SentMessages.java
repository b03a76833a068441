package io.tributary.sink.kafka;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** The messages between two places: how many are not acknowledged, and the first error. Any thread. */
final class SentMessages implements Callback {
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicReference<RuntimeException> failure;

    /** @param failure receives the first error of all messages of the run */
    SentMessages(AtomicReference<RuntimeException> failure) {
        this.failure = failure;
    }

    /** A message is sent; the result is called with its outcome. */
    Callback sending(ProducerRecord<byte[], byte[]> message, String note) {
        pending.incrementAndGet();
        if (note.isEmpty()) {
            return this;
        }
        int size = (message.key() == null ? 0 : message.key().length)
                + (message.value() == null ? 0 : message.value().length);
        String what = note + ": expected a message that topic " + message.topic()
                + " accepts (max.message.bytes, after compression), found one of " + size + " bytes before compression";
        return (metadata, error) -> completed(error, what);
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception error) {
        completed(error, "");
    }

    private void completed(Exception error, String what) {
        if (error != null && failure.get() == null) {
            RuntimeException cause = error instanceof RecordTooLargeException && !what.isEmpty()
                    ? new TributaryException(ErrorCode.SINK_MESSAGE_TOO_LARGE, what, error)
                    : KafkaErrors.of(error, "send a message");
            failure.compareAndSet(null, cause);
        }
        pending.decrementAndGet();
    }

    boolean areAcknowledged() {
        return pending.get() == 0;
    }
}
