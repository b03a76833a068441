package io.tributary.node.command.order;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Answers questions about the global order and the shards, from the binlog files and, between two cuts, from the binlogs of the shards. */
final class GlobalOrder {
    private final StoredFiles files;
    private final Supplier<ShardLog> shards;

    /** @param shards is asked only if the binlog of a shard is needed */
    GlobalOrder(StoredFiles files, Supplier<ShardLog> shards) {
        this.files = files;
        this.shards = shards;
    }

    /** The transactions between two cuts with their shards. */
    private record Matched(Interval interval, List<SourceQueue> queues, OriginSearch search) {}

    /** The point after a transaction. */
    GlobalPoint after(long gno) {
        Interval interval = IntervalWalk.of(files, gno);
        if (interval.after().transactions() == gno) {
            return GlobalPoint.of(interval.after());
        }
        Matched matched = match(interval);
        for (int i = 0; i < gno - interval.before().transactions(); i++) {
            matched.search().next();
        }
        matched.search().passRest();
        return GlobalPoint.after(interval.before(), gno, matched.queues());
    }

    /** The last cut before the first transaction that was committed at a time or later; its point is {@link GlobalPoint#of}. */
    TimeChoice before(long epochMicros) {
        return IntervalWalk.before(files, epochMicros);
    }

    /** The origin of a transaction of the binlog. */
    Origin origin(long gno) {
        return origins(IntervalWalk.of(files, gno), gno);
    }

    private Origin origins(Interval interval, long gno) {
        Matched matched = match(interval);
        Origin origin = matched.search().next();
        for (long at = interval.before().transactions() + 1; at < gno; at++) {
            origin = matched.search().next();
        }
        return origin;
    }

    private Matched match(Interval interval) {
        requireComparable(interval);
        ShardLog log = shards.get();
        List<SourceQueue> queues = new ArrayList<>();
        for (int i = 0; i < interval.before().shards().size(); i++) {
            queues.add(queue(interval, i, log));
        }
        return new Matched(interval, queues, new OriginSearch(files, interval.transactions(), queues));
    }

    private void requireComparable(Interval interval) {
        Cut before = interval.before();
        Cut after = interval.after();
        boolean isTso = after.tso() > 0;
        if (isTso || !before.hasSameShards(after)) {
            throw StoredFiles.refused("expected two cuts "
                    + (isTso ? "of order.mode = xa" : "with the same shards")
                    + " around the transaction, found " + (isTso ? "tso" : "a shard that joined or left")
                    + ": only the positions at the cuts are known, after "
                    + (before.transactions() > 0 ? files.gtid(before.transactions()) + " and " : "")
                    + files.gtid(after.transactions()));
        }
    }

    private SourceQueue queue(Interval interval, int index, ShardLog log) {
        ShardCut before = interval.before().shards().get(index);
        ShardCut after = interval.after().shards().get(index);
        Set<Xid> open = GlobalPoint.open(interval.before(), index);
        Set<Xid> openAfter = GlobalPoint.open(interval.after(), index);
        ShardCut lead = interval.lead().shards().get(index);
        if (before.frontier().equals(after.frontier()) && openAfter.equals(open)) {
            return new SourceQueue(before, after.frontier(), open, List.of());
        }
        ShardCut from = after.frontier().containsAll(lead.frontier()) ? lead : before;
        Predicate<List<SourceTransaction>> isWhole =
                ShardLog.until(after.frontier().minus(from.frontier()));
        Set<Xid> left = new HashSet<>(openAfter);
        left.removeAll(open);
        int[] seen = {0};
        List<SourceTransaction> read = log.read(from, all -> {
            boolean isRead = isWhole.test(all);
            for (; seen[0] < all.size(); seen[0]++) {
                SourceTransaction one = all.get(seen[0]);
                if (one.kind() == TokenKind.COMMIT && !after.frontier().contains(one.gtid())) {
                    left.remove(one.xid());
                }
            }
            return isRead && left.isEmpty();
        });
        return new SourceQueue(before, after.frontier(), open, read);
    }

    /** A shard's transaction in the binlog: its number, 0 if it is not there; and why. */
    record Arrival(String shard, SourceTransaction transaction, long gno, Origin origin, String why) {}

    /**
     * Where a transaction of a shard is in the binlog.
     *
     * @throws io.tributary.common.error.TributaryException READER_REFUSED if it is not processed yet, or the binlog up to there is purged
     */
    Arrival arrival(Gtid gtid) {
        Place place = place(gtid);
        Matched matched = match(place.interval());
        SourceQueue queue = matched.queues().get(place.shard());
        SourceTransaction one = queue.all().stream()
                .filter(each -> each.gtid().equals(gtid))
                .findFirst()
                .orElseThrow(() -> StoredFiles.refused(
                        "expected transaction " + gtid + " in the binlog of shard " + queue.name() + ", found none"));
        return switch (one.kind()) {
            case LOCAL, DDL -> found(matched, queue.name(), one);
            case PREPARE -> ofPrepare(matched, queue, one);
            case COMMIT -> ofCommit(matched, queue, place, one);
            case ROLLBACK -> absent(queue, one, "it rolls a branch back");
            case ROUND -> absent(queue, one, "it is a heartbeat round");
            case SKIPPED -> absent(queue, one, "it changes nothing that is written, such as tables that are left out");
        };
    }

    private static Arrival absent(SourceQueue queue, SourceTransaction one, String why) {
        return new Arrival(queue.name(), one, 0, null, why);
    }

    private Arrival found(Matched matched, String shard, SourceTransaction one) {
        for (Interval.Written each : matched.interval().transactions()) {
            Origin origin = matched.search().next();
            boolean isIt = origin.parts().stream()
                    .anyMatch(part -> one.equals(part.transaction()) || one.equals(part.commit()));
            if (isIt) {
                return new Arrival(shard, one, each.gno(), origin, "");
            }
        }
        return new Arrival(
                shard,
                one,
                0,
                null,
                "it was left out: see the schema changes and the decisions of operators at that time");
    }

    /** A branch is written where one of its transaction's branches was committed, which may be long after its XA PREPARE. */
    private Arrival ofPrepare(Matched matched, SourceQueue queue, SourceTransaction prepare) {
        Arrival here = found(matched, queue.name(), prepare);
        if (here.gno() > 0) {
            return here;
        }
        Cut newest = newest();
        int index = index(newest, queue.name());
        if (index < 0) {
            return absent(queue, prepare, "its shard has left");
        }
        SourceTransaction decision =
                decision(queue.from(), newest.shards().get(index).frontier(), prepare);
        if (decision != null && decision.kind() == TokenKind.ROLLBACK) {
            return absent(queue, prepare, "its branch was rolled back by " + decision.gtid());
        }
        if (decision != null) {
            Arrival found = arrival(decision.gtid());
            return new Arrival(queue.name(), prepare, found.gno(), found.origin(), found.why());
        }
        return GlobalPoint.open(newest, index).contains(prepare.xid())
                ? earlier(queue, newest.number(), prepare)
                : absent(queue, prepare, "its branch is not decided yet, or its transaction is not written yet");
    }

    /** The first decision about a branch after its XA PREPARE; null if there is none among what was processed. */
    private SourceTransaction decision(ShardCut from, GtidSet processed, SourceTransaction prepare) {
        Predicate<List<SourceTransaction>> isWhole = ShardLog.until(processed.minus(from.frontier()));
        SourceTransaction[] found = {null};
        int[] seen = {0};
        boolean[] isAfter = {false};
        List<SourceTransaction> unused = shards.get().read(from, all -> {
            for (; seen[0] < all.size() && found[0] == null; seen[0]++) {
                SourceTransaction one = all.get(seen[0]);
                boolean isDecision = one.kind() == TokenKind.COMMIT || one.kind() == TokenKind.ROLLBACK;
                found[0] = isAfter[0] && isDecision && one.xid().equals(prepare.xid()) ? one : null;
                isAfter[0] |= one.gtid().equals(prepare.gtid());
            }
            return found[0] != null || isWhole.test(all);
        });
        return found[0];
    }

    private Arrival ofCommit(Matched matched, SourceQueue queue, Place place, SourceTransaction commit) {
        Cut before = place.interval().before();
        boolean isWrittenBefore = GlobalPoint.open(before, place.shard()).contains(commit.xid());
        return isWrittenBefore ? earlier(queue, before.number(), commit) : found(matched, queue.name(), commit);
    }

    /** The branch was written in the last interval up to a cut after which it is open and before which it is not. */
    private Arrival earlier(SourceQueue queue, long cut, SourceTransaction branch) {
        for (int i = files.list().size() - 1; i >= 0; i--) {
            Interval begin = opening(files.list().get(i), queue.name(), cut, branch.xid());
            if (begin != null) {
                return opened(queue, match(begin), branch);
            }
        }
        throw StoredFiles.refused("expected the transaction of branch " + branch.xid() + " in the files of "
                + files.folder() + ", found it purged");
    }

    /** The last interval of a file up to a cut in which a branch is written; null if there is none. */
    private Interval opening(BinlogFile file, String shard, long cut, Xid xid) {
        Interval last = null;
        try (IntervalWalk walk = IntervalWalk.from(files, file)) {
            Optional<Interval> next = walk.next();
            while (next.isPresent() && next.get().after().number() <= cut) {
                Interval interval = next.get();
                int index = index(interval.after(), shard);
                boolean begins = index >= 0
                        && GlobalPoint.open(interval.after(), index).contains(xid)
                        && !GlobalPoint.open(interval.before(), index).contains(xid);
                last = begins ? interval : last;
                next = walk.next();
            }
        }
        return last;
    }

    private static Arrival opened(SourceQueue queue, Matched matched, SourceTransaction branch) {
        for (Interval.Written each : matched.interval().transactions()) {
            Origin origin = matched.search().next();
            boolean isIt = origin.parts().stream()
                    .anyMatch(part -> part.shard().equals(queue.name())
                            && part.commit() != null
                            && branch.xid().equals(part.commit().xid()));
            if (isIt) {
                return new Arrival(queue.name(), branch, each.gno(), origin, "");
            }
        }
        return absent(queue, branch, "its transaction was not found among those between the cuts around it");
    }

    private static int index(Cut cut, String shard) {
        for (int i = 0; i < cut.shards().size(); i++) {
            if (cut.shards().get(i).name().equals(shard)) {
                return i;
            }
        }
        return -1;
    }

    /** The interval in which a shard's transaction was processed. */
    private record Place(Interval interval, int shard) {}

    /** The last cut. */
    private Cut newest() {
        for (int i = files.list().size() - 1; i >= 0; i--) {
            try (IntervalWalk walk = IntervalWalk.from(files, files.list().get(i))) {
                Optional<Interval> next = walk.next();
                while (next.isPresent()) {
                    next = walk.next();
                }
                if (walk.last() != null) {
                    return walk.last();
                }
            }
        }
        throw StoredFiles.refused("expected a cut in the files of " + files.folder() + ", found none yet");
    }

    private Place place(Gtid gtid) {
        for (int i = files.list().size() - 1; i >= 0; i--) {
            try (IntervalWalk walk = IntervalWalk.from(files, files.list().get(i))) {
                Optional<Interval> next = walk.next();
                boolean isBefore = next.isPresent() && shardWith(next.get().before(), gtid) >= 0;
                if (isBefore || next.isEmpty()) {
                    continue;
                }
                for (; next.isPresent(); next = walk.next()) {
                    int shard = shardWith(next.get().after(), gtid);
                    if (shard >= 0) {
                        return new Place(next.get(), shard);
                    }
                }
                GtidSet.Builder all = GtidSet.EMPTY.toBuilder();
                walk.last().shards().forEach(each -> all.addAll(each.frontier()));
                throw StoredFiles.refused("expected a transaction that was read from a shard, found " + gtid
                        + ", which is not among those that are processed: "
                        + all.build().line());
            }
        }
        throw StoredFiles.refused("expected transaction " + gtid + " of a shard in the files of " + files.folder()
                + ", found that the files from its time are purged");
    }

    private static int shardWith(Cut cut, Gtid gtid) {
        for (int i = 0; i < cut.shards().size(); i++) {
            if (cut.shards().get(i).frontier().contains(gtid)) {
                return i;
            }
        }
        return -1;
    }
}
