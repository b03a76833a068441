package io.tributary.node.role;

import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of the newest stream that a Task or a relay has offered: for the status, and for the node where it cannot go on. Any thread. */
final class OfferedStream {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedStream.class);

    private final String receiver;
    private String state = "none yet";
    private boolean isOpen;

    /** @param receiver who may open another one, for the log */
    OfferedStream(String receiver) {
        this.receiver = receiver;
    }

    /** @param cut number of the one behind which it begins */
    synchronized void opens(long cut) {
        state = "one, opened behind cut " + cut;
        isOpen = true;
    }

    /** It has ended; why it failed, if it has, is still told. */
    synchronized void ended() {
        state = isOpen ? "none now" : state;
        isOpen = false;
    }

    /**
     * It failed, or could not be opened.
     *
     * @param node told where an operator must act
     */
    void failed(TributaryException cause, FailureSink node) {
        fails(cause);
        if (cause.code().severity() == Severity.RETRY) {
            LOG.warn("{} | the {} may open another stream", cause.line(), receiver);
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
