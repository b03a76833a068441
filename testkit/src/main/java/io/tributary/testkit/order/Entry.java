package io.tributary.testkit.order;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Payload;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.util.List;
import java.util.UUID;

/**
 * One entry of a simulated shard's log: the token of one GTID, whose number is its index + 1.
 *
 * @param kind L local, P prepare, C commit, R rollback, H round
 * @param transaction its number in the schedule; -1 for a round
 * @param tso for a round: the TSO that it confirms; 0 if it has none
 * @param time when it was logged, by the shard's clock
 * @param place index in the shard's log
 * @param round for a round, its number; else the number of the shard's last round, if the schedule contains it
 */
public record Entry(
        char kind, int transaction, long tso, int shard, double time, int place, List<Integer> rows, long round) {
    public TokenKind tokenKind() {
        return switch (kind) {
            case 'L' -> TokenKind.LOCAL;
            case 'P' -> TokenKind.PREPARE;
            case 'C' -> TokenKind.COMMIT;
            case 'R' -> TokenKind.ROLLBACK;
            default -> TokenKind.ROUND;
        };
    }

    /**
     * The body of its token.
     *
     * @param branch null if it is no branch
     * @param payload null if it has none
     * @param before where it begins (P; H in tso order), else null
     */
    public TokenBody body(Xid branch, Payload payload, ResumePosition before) {
        return switch (tokenKind()) {
            case LOCAL -> new TokenBody.LocalTransaction(payload, List.of());
            case PREPARE -> new TokenBody.PreparedBranch(branch, before, payload, List.of());
            case COMMIT -> new TokenBody.CommittedBranch(branch);
            case ROLLBACK -> new TokenBody.RolledBackBranch(branch);
            default -> new TokenBody.HeartbeatRound(round, before);
        };
    }

    public boolean isBranch() {
        return "PCR".indexOf(kind) >= 0;
    }

    /** Whether it ends a transaction on its shard that is part of the output. */
    public boolean commits() {
        return kind == 'L' || kind == 'C';
    }

    /** Whether it has rows. */
    public boolean hasRows() {
        return kind == 'L' || kind == 'P';
    }

    /** The XID of its branch, null if it is no branch; {@code gtrid} identifies its transaction. */
    public Xid xid(int gtrid) {
        return isBranch()
                ? new Xid(new byte[] {(byte) (gtrid >> 8), (byte) gtrid}, new byte[] {(byte) shard}, 1)
                : null;
    }

    /** The source of a shard's GTIDs. */
    public static Sid sid(int shard) {
        return new Sid(new UUID(1, shard));
    }

    /** A shard's name. */
    public static String shardName(int shard) {
        return "s" + shard;
    }
}
