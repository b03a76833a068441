package io.tributary.collector.order.tso;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.TransactionSink;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tokens of all shards that have the same TSO, joined to one transaction, or an error that states why they are not one. */
final class TsoGroup {
    private final long tso;
    private final long nanoTime;
    private final Map<Xid, Token> prepared = new HashMap<>(4);
    private final List<Branch> rolledBack = new ArrayList<>(0);
    private final List<Token> commits = new ArrayList<>(2);
    private DistributedTransaction transaction;
    private Token local;
    private Token first;

    TsoGroup(long tso, long nanoTime) {
        this.tso = tso;
        this.nanoTime = nanoTime;
    }

    /** Adds the next token of this TSO from a shard. */
    void add(ShardState state, Token token) {
        switch (token.kind()) {
            case PREPARE -> {
                requireSame(state, token);
                prepared.put(token.xid(), token);
            }
            case COMMIT -> committed(state, token);
            case ROLLBACK -> rolledBack.add(new Branch(state, token.xid(), null, null));
            case LOCAL -> {
                requireSame(state, token);
                local = token;
            }
            default -> {}
        }
    }

    private void requireSame(ShardState state, Token token) {
        boolean isSame = first == null
                || first.xid() != null
                        && token.xid() != null
                        && first.xid().global().equals(token.xid().global());
        if (!isSame) {
            throw new TributaryException(
                    ErrorCode.TSO_REFUSED,
                    "shard " + state.shardName() + ", " + token.file() + " before " + token.end() + ", " + token.sid()
                            + ":" + token.gno() + ": expected a different TSO for each transaction, found " + tso
                            + " in " + name(token) + " and, on shard " + first.shard() + ", in " + name(first));
        }
        first = token;
    }

    private static String name(Token token) {
        return token.xid() == null ? "the local transaction " + token.sid() + ":" + token.gno() : "XA " + token.xid();
    }

    private void committed(ShardState state, Token commit) {
        Token prepare = prepared.remove(commit.xid());
        if (prepare == null) {
            throw state.contradiction(commit, "COMMIT with TSO " + tso + " without its PREPARE before it");
        }
        if (transaction == null) {
            transaction = new DistributedTransaction(commit.xid().global(), null, nanoTime);
        }
        Branch branch = new Branch(state, commit.xid(), transaction, prepare);
        branch.markReady();
        branch.markCommitted(commit);
        transaction.add(branch);
        commits.add(commit);
    }

    /** Hands the transaction to the sink, if there is one. */
    void emit(TransactionSink sink, ProtocolViolations violations) {
        if (!prepared.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.ORDER_CONTRADICTION,
                    "expected a COMMIT after each PREPARE with TSO " + tso + ", found none of XA " + prepared.keySet());
        }
        if (local != null) {
            sink.local(local);
        } else if (transaction != null) {
            rolledBack.forEach(violations::mixedOutcome);
            long number = sink.distributed(transaction);
            commits.forEach(commit -> sink.committed(commit, number));
        }
    }

    /** Releases the payload of everything that was added. */
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
