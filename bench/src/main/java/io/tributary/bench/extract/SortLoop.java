package io.tributary.bench.extract;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.Xid;
import io.tributary.extractor.tso.TsoSort;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.ToLongFunction;

/** Measures the level-1 sort of {@code tso} order alone: one shard's tokens without payload, created before the measurement. */
final class SortLoop {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Sid SID = new Sid(new UUID(1, 2));
    private static final ResumePosition BEFORE = new ResumePosition(GtidSet.EMPTY, "binlog.000001", 4);

    private final int transactions;
    private final int undecided;
    private final SplittableRandom random = new SplittableRandom(7);
    private final List<Token> tokens = new ArrayList<>();
    private long committed;

    /**
     * @param transactions transactions of one lap
     * @param undecided number of undecided branches at any time; 0 = all transactions are local
     */
    SortLoop(int transactions, int undecided) {
        this.transactions = transactions;
        this.undecided = undecided;
        List<Xid> open = new ArrayList<>();
        for (int tso = 1; tso <= transactions; tso++) {
            if (undecided == 0) {
                tokens.add(token(0, new TokenBody.LocalTransaction(null, List.of())));
                continue;
            }
            Xid xid = new Xid(ByteBuffer.allocate(8).putLong(tso).array(), new byte[] {1}, 1);
            tokens.add(token(tso, new TokenBody.PreparedBranch(xid, BEFORE, null, List.of())));
            open.add(xid);
            if (open.size() > undecided) {
                tokens.add(token(0, new TokenBody.CommittedBranch(open.remove(random.nextInt(open.size())))));
            }
        }
        open.forEach(xid -> tokens.add(token(0, new TokenBody.CommittedBranch(xid))));
    }

    private Token token(long tso, TokenBody body) {
        long gno = tokens.size() + 1L;
        return new Token(
                0, gno, tso, new LoggedTransaction(SID, gno, "binlog.000001", 100 * gno, gno, gno - 1, gno), body);
    }

    /** CPU of one lap through the sort, in ns per transaction. */
    double sorted() {
        return lap(loop -> {
            long out = 0;
            try (TsoSort sort = new TsoSort(
                    ShardCut.unread("s1", "", GtidSet.EMPTY, GtidSet.EMPTY), 0, tso -> loop.committed = tso)) {
                for (Token token : loop.tokens) {
                    sort.put(token, 0, 0);
                    while (sort.hasLeaving()) {
                        out += sort.poll().gno();
                    }
                }
            }
            return out;
        });
    }

    /** CPU of one lap without the sort, in ns per transaction. */
    double unsorted() {
        return lap(loop -> {
            long out = 0;
            for (Token token : loop.tokens) {
                out += token.gno();
            }
            return out;
        });
    }

    private double lap(ToLongFunction<SortLoop> work) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long out = work.applyAsLong(this);
        cpu = THREADS.getCurrentThreadCpuTime() - cpu;
        long all = (long) tokens.size() * (tokens.size() + 1) / 2;
        if (out != all) {
            throw new IllegalStateException("expected all of " + tokens.size() + " tokens, " + undecided + " open");
        }
        return (double) cpu / transactions;
    }
}
