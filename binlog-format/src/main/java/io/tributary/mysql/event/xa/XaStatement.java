package io.tributary.mysql.event.xa;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.Text;
import java.nio.ByteBuffer;

/**
 * An XA statement in a query event: {@code XA START X'..',X'..',n} and others, in the forms that the server writes (XID::serialize in
 * sql/xa.h) and that a client may write (manual, "XA Transaction SQL Statements").
 *
 * @param verb the statement
 * @param xid its branch
 * @param onePhase whether it ends with ONE PHASE
 */
public record XaStatement(Verb verb, Xid xid, boolean onePhase) {
    /** The XA statements that a binlog can contain. */
    public enum Verb {
        /** XA START or XA BEGIN. */
        START,
        END,
        PREPARE,
        COMMIT,
        ROLLBACK
    }

    /** Whether a checked query event contains an XA statement; nothing is allocated. */
    public static boolean isOne(ByteBuffer view, int at, int end) {
        int from = QueryEvent.textAt(view, at);
        return end - from > 3 && Text.startsWith(view, from, end, "XA") && XaText.isSpace(view.get(from + 2));
    }

    /**
     * Parses the statement of a checked query event for which {@link #isOne} is true.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} if it is not an XA statement that a binlog can contain
     */
    public static XaStatement parse(ByteBuffer view, int at, int end) {
        return new XaText(view, at, QueryEvent.textAt(view, at), end).statement();
    }
}
