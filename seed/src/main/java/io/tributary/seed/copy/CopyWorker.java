package io.tributary.seed.copy;

import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One worker of a copy with its sessions: one on the target, and one on the shard that it reads. For one thread. */
final class CopyWorker implements AutoCloseable {
    private final MysqlClient client;
    private final CopyConfig config;
    private final CopyQueue queue;
    private final CopyTarget target;
    private SqlSession shard;

    /** @param target is closed with the worker */
    CopyWorker(MysqlClient client, CopyConfig config, CopyTarget target, CopyQueue queue) {
        this.client = client;
        this.config = config;
        this.queue = queue;
        this.target = target;
    }

    /** Works until there is no more work. */
    void run() {
        for (Optional<CopyWork> next = queue.take(); next.isPresent(); next = queue.take()) {
            CopyWork work = next.get();
            open(work.member().shard());
            List<CopyWork> more = List.of();
            if (work.part().isEmpty()) {
                more = divide(work);
            } else {
                copy(work, work.part().get());
            }
            work.open().addAndGet(more.size());
            if (work.open().decrementAndGet() == 0) {
                queue.listener().finished(work.plan().name());
            }
            queue.done(work, more);
        }
    }

    private void open(Peer peer) {
        if (shard != null && shard.peer().equals(peer)) {
            return;
        }
        if (shard != null) {
            shard.close();
            shard = null;
        }
        shard = CopySessions.shard(client, peer, "READ COMMITTED");
    }

    /** The parts that are not copied yet. */
    private List<CopyWork> divide(CopyWork work) {
        MemberPlan size = MemberPlan.of(shard, work.member());
        queue.listener().planned(work.plan().name(), size.rows(), size.bytes());
        List<MemberPart> parts = target.parts(work.plan().name(), work.member());
        if (parts.isEmpty()) {
            parts = target.begin(work.plan().name(), work.member(), size.parts(shard, work.plan(), work.member()));
        }
        List<CopyWork> more = new ArrayList<>();
        for (MemberPart part : parts) {
            if (part.copied().rows() > 0) {
                queue.listener()
                        .copied(
                                work.plan().name(),
                                part.copied().rows(),
                                part.copied().bytes());
            }
            if (!part.isDone()) {
                more.add(new CopyWork(work.plan(), work.open(), work.member(), Optional.of(part), size.rowBytes()));
            }
        }
        return more;
    }

    private void copy(CopyWork work, MemberPart part) {
        RowSink sink = target.rows(work.plan(), part, queue.listener());
        new PartCopy(work.plan(), part, shard, sink, queue)
                .run(new LoadLimit(config.maxLoad()), PartCopy.ChunkSize.of(work.rowBytes(), config.bytesPerSecond()));
        target.done(work.plan().name(), part);
    }

    @Override
    public void close() {
        target.close();
        if (shard != null) {
            shard.close();
        }
    }
}
