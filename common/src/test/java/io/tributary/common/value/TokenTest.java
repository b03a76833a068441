package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The values that a token of each kind has. */
class TokenTest {
    private static final Xid XID = new Xid(new byte[] {1}, new byte[] {2}, 1);
    private static final ResumePosition BEFORE = new ResumePosition(GtidSet.EMPTY, "binlog.000001", 4);
    private static final Question QUESTION = new Question(ErrorCode.SCHEMA_MIXED, "expected the same columns");
    private static final LoggedTransaction LOGGED =
            new LoggedTransaction(new Sid(new UUID(1, 2)), 7, "binlog.000001", 100, 0, 6, 7);

    private static Token token(TokenBody body) {
        return new Token(3, 40, 5, LOGGED, body);
    }

    @Test
    void aPreparedBranchWithAQuestionStaysABranchWithoutRows() {
        Token asked = token(new TokenBody.PreparedBranch(XID, BEFORE, null, List.of()))
                .asking(QUESTION);
        assertEquals(TokenKind.PREPARE, asked.kind());
        assertEquals(XID, asked.xid());
        assertEquals(BEFORE, asked.before());
        assertEquals(QUESTION, asked.question());
        assertNull(asked.payload());
        assertThrows(IllegalStateException.class, () -> asked.withPayload(null, List.of()));
    }

    @Test
    void onlyTokensWithEffectsOfTheirOwnCanHaveAQuestion() {
        Token round = token(new TokenBody.HeartbeatRound(9, null));
        assertThrows(IllegalStateException.class, () -> round.asking(QUESTION));
        assertThrows(IllegalStateException.class, () -> round.withPayload(null, List.of()));
        assertThrows(
                IllegalStateException.class,
                () -> token(new TokenBody.RolledBackBranch(XID)).asking(QUESTION));
    }

    @Test
    void aBranchHasAnXidAndAPositionBeforeIt() {
        assertThrows(NullPointerException.class, () -> new TokenBody.CommittedBranch(null));
        assertThrows(NullPointerException.class, () -> new TokenBody.PreparedBranch(XID, null, null, List.of()));
    }

    @Test
    void aSkippedTokenKeepsItsPlace() {
        Token skipped = token(new TokenBody.CommittedBranch(XID)).skipped().withTso(-6);
        assertEquals(TokenKind.SKIPPED, skipped.kind());
        assertEquals(LOGGED, skipped.logged());
        assertEquals(6, skipped.tsoPlace());
        assertNull(skipped.xid());
        assertEquals("SKIPPED[shard 3 " + LOGGED.sid() + ":7]", skipped.toString());
    }
}
