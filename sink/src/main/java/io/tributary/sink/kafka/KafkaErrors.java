package io.tributary.sink.kafka;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The errors of Kafka's clients as errors of the sink. */
final class KafkaErrors {
    private static final int DEEPEST = 8;

    private KafkaErrors() {}

    /** Another producer has the transactional id. */
    static boolean isFenced(Throwable cause) {
        return find(cause, ProducerFencedException.class) != null
                || find(cause, InvalidProducerEpochException.class) != null;
    }

    /**
     * The error of a call.
     *
     * @param cause what the client has thrown
     * @param action what the sink did, such as {@code commit a Kafka transaction}
     * @throws CancellationException if the thread was interrupted
     */
    static RuntimeException of(Throwable cause, String action) {
        if (find(cause, InterruptException.class) != null || find(cause, InterruptedException.class) != null) {
            Thread.currentThread().interrupt();
            return (RuntimeException) new CancellationException("interrupted: " + action).initCause(cause);
        }
        TributaryException own = find(cause, TributaryException.class);
        if (own != null) {
            return own;
        }
        RuntimeException refused = refused(cause, action);
        if (refused != null) {
            return refused;
        }
        Throwable root = root(cause);
        if (isFenced(cause)) {
            return failed(ErrorCode.SINK_FENCED, action, "the newest producer of this name", "another one", root);
        }
        if (find(cause, RecordTooLargeException.class) != null) {
            return failed(
                    ErrorCode.SINK_MESSAGE_TOO_LARGE,
                    action,
                    "messages within max.message.bytes of the topic",
                    root.getMessage(),
                    root);
        }
        boolean isUnknown = find(cause, UnknownTopicOrPartitionException.class) != null
                || find(cause, InvalidTopicException.class) != null
                || root instanceof TimeoutException
                        && String.valueOf(root.getMessage()).contains("not present in metadata");
        if (isUnknown) {
            return failed(ErrorCode.SINK_TOPIC_UNFIT, action, "an existing topic", root.getMessage(), root);
        }
        boolean mayPass = find(cause, RetriableException.class) != null
                || find(cause, TransactionAbortableException.class) != null
                || find(cause, UnsupportedVersionException.class) == null && root instanceof java.io.IOException;
        return failed(
                mayPass ? ErrorCode.SINK_UNREACHABLE : ErrorCode.SINK_REFUSED,
                action,
                mayPass ? "an answer of the brokers" : "that the brokers accept it",
                root.getClass().getSimpleName() + ": " + root.getMessage(),
                root);
    }

    private static RuntimeException refused(Throwable cause, String action) {
        TopicAuthorizationException topics = find(cause, TopicAuthorizationException.class);
        if (topics != null) {
            return refused(
                    action,
                    "the rights WRITE, DESCRIBE and, to create them, CREATE on the topics "
                            + topics.unauthorizedTopics() + ", and READ on the topic of progress",
                    topics);
        }
        if (find(cause, TransactionalIdAuthorizationException.class) != null) {
            return refused(
                    action, "the rights WRITE and DESCRIBE on the transactional id (prefix tributary-)", root(cause));
        }
        if (find(cause, GroupAuthorizationException.class) != null) {
            return refused(action, "the right READ on the consumer group", root(cause));
        }
        if (find(cause, ClusterAuthorizationException.class) != null) {
            return refused(action, "the right CREATE on the cluster, or an existing topic", root(cause));
        }
        if (find(cause, AuthenticationException.class) != null) {
            return refused(action, "a login that the brokers accept", root(cause));
        }
        if (find(cause, AuthorizationException.class) != null) {
            return refused(action, "the rights that docs/sink.md lists", root(cause));
        }
        if (find(cause, InvalidTxnTimeoutException.class) != null) {
            return refused(
                    action,
                    "a sink.transaction.timeout of at most transaction.max.timeout.ms of the brokers (lower the first, or"
                            + " raise the second)",
                    root(cause));
        }
        return null;
    }

    private static TributaryException refused(String action, String expected, Throwable root) {
        return failed(ErrorCode.SINK_REFUSED, action, expected, root.getMessage(), root);
    }

    private static TributaryException failed(
            ErrorCode code, String action, String expected, String found, Throwable cause) {
        return new TributaryException(code, "Kafka: " + action + ": expected " + expected + ", found " + found, cause);
    }

    /** Settings of a client that cannot be used. */
    static TributaryException ofSettings(KafkaException e) {
        Throwable root = root(e);
        ErrorCode code = root instanceof ConfigException
                        && String.valueOf(root.getMessage()).contains("resolvable")
                ? ErrorCode.SINK_UNREACHABLE
                : ErrorCode.SINK_REFUSED;
        return failed(code, "make a client", "settings that Kafka's client accepts", root.getMessage(), root);
    }

    private static Throwable root(Throwable cause) {
        Throwable root = cause;
        int depth = 0;
        while (depth++ < DEEPEST && root.getCause() != null && isCover(root)) {
            root = root.getCause();
        }
        return root;
    }

    private static boolean isCover(Throwable cause) {
        return cause instanceof ExecutionException
                || cause instanceof CompletionException
                || cause.getClass().equals(KafkaException.class);
    }

    private static <T extends Throwable> T find(Throwable cause, Class<T> type) {
        Throwable next = cause;
        for (int depth = 0; next != null && depth < DEEPEST; depth++) {
            if (type.isInstance(next)) {
                return type.cast(next);
            }
            next = next.getCause();
        }
        return null;
    }
}
