package io.tributary.transmitter.token;

import io.tributary.common.value.TokenKind;
import io.tributary.transmit.proto.TransmitWire.Marks;
import java.io.IOException;

/** The flags in the byte of a token beside its kind (transmit.proto, Marks). */
final class TokenMark {
    static final int KIND = 0x0f;
    static final int PAYLOAD = Marks.HAS_PAYLOAD_VALUE;
    static final int BRANCH = Marks.HAS_BRANCH_VALUE;
    static final int BEFORE = Marks.HAS_BEFORE_VALUE;
    static final int ROUND = Marks.HAS_ROUND_VALUE;

    private TokenMark() {}

    /** The kind's number on the wire. */
    static int of(TokenKind kind) {
        return switch (kind) {
            case LOCAL -> 0;
            case PREPARE -> 1;
            case COMMIT -> 2;
            case ROLLBACK -> 3;
            case ROUND -> 4;
            case DDL -> 5;
            case SKIPPED -> 6;
        };
    }

    /** @throws IOException if no kind has this number */
    static TokenKind kind(int marks) throws IOException {
        return switch (marks & KIND) {
            case 0 -> TokenKind.LOCAL;
            case 1 -> TokenKind.PREPARE;
            case 2 -> TokenKind.COMMIT;
            case 3 -> TokenKind.ROLLBACK;
            case 4 -> TokenKind.ROUND;
            case 5 -> TokenKind.DDL;
            case 6 -> TokenKind.SKIPPED;
            default -> throw new IOException("a token of kind " + (marks & KIND));
        };
    }

    /** @throws IOException if a token of this kind needs another mark, or cannot have a payload but is marked to have one */
    static void check(TokenKind kind, int marks) throws IOException {
        int needed = switch (kind) {
            case PREPARE -> BRANCH | BEFORE;
            case COMMIT, ROLLBACK -> BRANCH;
            case LOCAL, ROUND, DDL, SKIPPED -> 0;
        };
        boolean mayHavePayload = kind == TokenKind.LOCAL || kind == TokenKind.PREPARE || kind == TokenKind.DDL;
        if ((marks & needed) != needed || !mayHavePayload && (marks & PAYLOAD) != 0) {
            throw new IOException("a token of kind " + kind + " with the marks " + marks);
        }
    }
}
