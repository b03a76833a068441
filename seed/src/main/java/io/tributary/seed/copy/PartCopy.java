package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.RowQueue;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Copies one part of a member, chunk by chunk, from where it was before. For one thread. */
final class PartCopy {
    /** Bytes of rows that wait here while the target is slower. */
    static final int QUEUE_BYTES = 2 << 20;

    private final CopyPlan plan;
    private final MemberPart part;
    private final SqlSession shard;
    private final RowSink sink;
    private final BooleanSupplier isStopped;

    /**
     * The size of the chunks.
     *
     * @param mostRows of a chunk
     * @param mostBytes of a chunk: as long as it is read, its shard cannot alter the table
     * @param rowBytes expected length of a row
     */
    record ChunkSize(long mostRows, long mostBytes, long rowBytes) {
        private static final long USUAL_ROWS = 100_000;
        private static final long FIRST_ROWS = 1000;
        private static final long MOST_BYTES = 64 << 20;
        private static final int MOST_SECONDS = 2;

        /** @param bytesPerSecond the limit of the copy, 0 for none */
        static ChunkSize of(long rowBytes, long bytesPerSecond) {
            long bytes = bytesPerSecond == 0 ? MOST_BYTES : Math.min(MOST_BYTES, MOST_SECONDS * bytesPerSecond);
            return new ChunkSize(USUAL_ROWS, bytes, rowBytes);
        }

        /** The first chunk is small, because the shard's statistics may be wrong. */
        private long firstRows() {
            return Math.min(FIRST_ROWS, rows(rowBytes));
        }

        private long rows(long bytesEach) {
            return Math.max(1, Math.min(mostRows, mostBytes / Math.max(1, bytesEach)));
        }
    }

    /** @param sink receives the rows of the part */
    PartCopy(CopyPlan plan, MemberPart part, SqlSession shard, RowSink sink, CopyQueue queue) {
        this.plan = plan;
        this.part = part;
        this.shard = shard;
        this.isStopped = queue::isStopped;
        this.sink = sink;
    }

    /** Copies all rows. The length of the rows of a chunk is the expected length of those in the next one. */
    void run(LoadLimit load, ChunkSize size) {
        List<String> last = part.lastKey();
        long limit = size.firstRows();
        while (true) {
            load.await(shard);
            Amount read = chunk(select(last, limit));
            if (read.rows() < limit) {
                break;
            }
            last = sink.lastKey();
            limit = size.rows(read.bytes() / read.rows());
        }
        sink.finish();
    }

    private String select(List<String> last, long limit) {
        List<String> conditions = new ArrayList<>();
        KeyBounds bounds = part.bounds();
        String first = plan.key().get(0).compared();
        if (!bounds.lower().isEmpty()) {
            conditions.add(first + " >= " + bounds.lower());
        }
        if (!bounds.upper().isEmpty()) {
            conditions.add(first + " < " + bounds.upper());
        }
        if (!last.isEmpty()) {
            conditions.add(plan.behind(last));
        }
        return plan.select(part.member().physical())
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions)) + plan.order() + " LIMIT "
                + limit;
    }

    private Amount chunk(String select) {
        long rows = 0;
        long bytes = 0;
        try (RowQueue stream = shard.stream(select, QUEUE_BYTES)) {
            for (ByteBuf row = shard.next(stream); row != null; row = shard.next(stream)) {
                if (isStopped.getAsBoolean()) {
                    throw new CancellationException("another part has failed");
                }
                rows++;
                bytes += row.readableBytes();
                sink.add(row);
            }
        } catch (MysqlServerError e) {
            throw shard.failed("reading rows of " + part.member().physical() + " by " + select, e);
        }
        return new Amount(rows, bytes);
    }
}
