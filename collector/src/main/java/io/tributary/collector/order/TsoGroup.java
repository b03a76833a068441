package io.tributary.collector.order;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tokens of all shards that have one and the same TSO, put together: one transaction, or an error that says why they are not. */
final class TsoGroup {
    private final long tso;
    private final long nanoTime;
    private final Map<Xid, Token> prepared = new HashMap<>(4);
    private final List<Branch> rolledBack = new ArrayList<>(0);
    private final List<Token> commits = new ArrayList<>(2);
    private Distributed transaction;
    private Token local;
    private Token first;

    TsoGroup(long tso, long nanoTime) {
        this.tso = tso;
        this.nanoTime = nanoTime;
    }

    /** Adds the next token of this TSO from a shard. */
    void add(ShardLine line, Token token) {
        switch (token.kind()) {
            case PREPARE -> {
                requireSame(line, token);
                prepared.put(token.xid(), token);
            }
            case COMMIT -> committed(line, token);
            case ROLLBACK -> rolledBack.add(new Branch(line, token.xid(), null, null));
            case LOCAL -> {
                requireSame(line, token);
                local = token;
            }
            default -> {}
        }
    }

    private void requireSame(ShardLine line, Token token) {
        boolean isSame = first == null
                || first.xid() != null
                        && token.xid() != null
                        && first.xid().global().equals(token.xid().global());
        if (!isSame) {
            throw new TributaryException(
                    ErrorCode.TSO_REFUSED,
                    "shard " + line.shardName() + ", " + token.file() + " before " + token.end() + ", " + token.sid()
                            + ":" + token.gno() + ": expected a TSO of its own for each transaction, found " + tso
                            + " in " + name(token) + " and, on shard " + first.shard() + ", in " + name(first));
        }
        first = token;
    }

    private static String name(Token token) {
        return token.xid() == null ? "the local transaction " + token.sid() + ":" + token.gno() : "XA " + token.xid();
    }

    private void committed(ShardLine line, Token commit) {
        Token prepare = prepared.remove(commit.xid());
        if (prepare == null) {
            throw line.contradiction(commit, "COMMIT with TSO " + tso + " without its PREPARE in front of it");
        }
        if (transaction == null) {
            transaction = new Distributed(commit.xid().global(), null, nanoTime);
        }
        Branch branch = new Branch(line, commit.xid(), transaction, prepare);
        branch.markReady();
        branch.markCommitted(commit);
        transaction.add(branch);
        commits.add(commit);
    }

    /** Gives the transaction away, if there is one. */
    void emit(Emission emission, Alarms alarms) {
        if (!prepared.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.ORDER_CONTRADICTION,
                    "expected a COMMIT behind each PREPARE with TSO " + tso + ", found none of XA "
                            + prepared.keySet());
        }
        if (local != null) {
            emission.local(local);
        } else if (transaction != null) {
            rolledBack.forEach(alarms::mixedOutcome);
            long number = emission.distributed(transaction);
            commits.forEach(commit -> emission.committed(commit, number));
        }
    }

    /** Gives back the payload of what was added. */
    void release() {
        if (local != null) {
            local.release();
        }
        prepared.values().forEach(Token::release);
        if (transaction != null) {
            transaction.branches().forEach(Branch::releasePayload);
        }
    }
}
