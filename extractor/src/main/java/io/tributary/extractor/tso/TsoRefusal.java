package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;

/** The errors for a log whose TSOs break the rules of the order. */
final class TsoRefusal {
    private TsoRefusal() {}

    static TributaryException of(String message) {
        return new TributaryException(ErrorCode.TSO_REFUSED, message);
    }

    /** A token and its position, as in messages. */
    static String name(Token token) {
        return token.kind() + (token.xid() == null ? "" : " of XA " + token.xid()) + " at " + token.file() + " before "
                + token.end();
    }
}
