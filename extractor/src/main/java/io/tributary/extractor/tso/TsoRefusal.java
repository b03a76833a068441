package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;

/** What is said of a log whose TSOs break what the order builds on. */
final class TsoRefusal {
    private TsoRefusal() {}

    static TributaryException of(String message) {
        return new TributaryException(ErrorCode.TSO_REFUSED, message);
    }

    /** A token and where it stands, as messages name it. */
    static String name(Token token) {
        return token.kind() + (token.xid() == null ? "" : " of XA " + token.xid()) + " at " + token.file() + " before "
                + token.end();
    }
}
