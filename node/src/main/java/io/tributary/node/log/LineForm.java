package io.tributary.node.log;

import java.util.logging.LogRecord;

/** A form of log lines. Any thread. */
interface LineForm {
    /**
     * A line with its end.
     *
     * @param text the message with its arguments
     * @param thread that logged it
     */
    String line(LogRecord event, String text, String thread);
}
