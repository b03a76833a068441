package io.tributary.node.role;

import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.node.process.FailureSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of the newest stream that a Task or a relay has provided. Reports to the node a failure that an operator must fix. For any thread. */
final class ProvidedStream {
    private static final Logger LOG = LoggerFactory.getLogger(ProvidedStream.class);

    private final String receiver;
    private String state = "none yet";
    private boolean isOpen;

    /** @param receiver role that may open another stream, for the log */
    ProvidedStream(String receiver) {
        this.receiver = receiver;
    }

    /** @param cut number of the cut after which the stream begins */
    synchronized void opens(long cut) {
        state = "one, opened after cut " + cut;
        isOpen = true;
    }

    /** The stream has ended; the status still shows why it failed, if it did. */
    synchronized void ended() {
        state = isOpen ? "none now" : state;
        isOpen = false;
    }

    /**
     * The stream failed, or could not be opened.
     *
     * @param node notified if an operator must act
     */
    void failed(TributaryException cause, FailureSink node) {
        fails(cause);
        if (cause.code().severity() == Severity.RETRY) {
            LOG.warn(
                    "stream failed: receiver={} effect=\"it may open another stream\" error=\"{}\"",
                    receiver,
                    cause.line());
        } else {
            node.failed(cause);
        }
    }

    private synchronized void fails(TributaryException cause) {
        state = "none since " + cause.line();
        isOpen = false;
    }

    /** For the status. */
    synchronized String state() {
        return state;
    }
}
