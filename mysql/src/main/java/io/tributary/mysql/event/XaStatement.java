package io.tributary.mysql.event;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Xid;
import java.nio.ByteBuffer;

/**
 * An XA statement in a query event: {@code XA START X'..',X'..',n} and its like, as the server writes them (XID::serialize in
 * sql/xa.h) and as a client may (manual, "XA Transaction SQL Statements").
 *
 * @param verb which one
 * @param xid its branch
 * @param onePhase whether it ends in ONE PHASE
 */
public record XaStatement(Verb verb, Xid xid, boolean onePhase) {
    /** The XA statements that a binlog can hold. */
    public enum Verb {
        /** XA START or XA BEGIN. */
        START,
        END,
        PREPARE,
        COMMIT,
        ROLLBACK
    }

    /** Whether a checked query event holds an XA statement; nothing is allocated. */
    public static boolean isOne(ByteBuffer view, int at, int end) {
        int from = QueryEvent.textAt(view, at);
        return end - from > 3 && Text.startsWith(view, from, end, "XA") && XaText.isSpace(view.get(from + 2));
    }

    /**
     * Reads the statement of a checked query event for which {@link #isOne} holds.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} when it is no XA statement that a binlog can hold
     */
    public static XaStatement parse(ByteBuffer view, int at, int end) {
        return new XaText(view, at, QueryEvent.textAt(view, at), end).statement();
    }
}
