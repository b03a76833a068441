package io.tributary.node.command.order;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TokenKind;
import io.tributary.node.command.order.BranchGroups.Branch;
import io.tributary.node.command.order.BranchGroups.Group;
import io.tributary.node.command.order.Interval.Written;
import io.tributary.node.command.order.Origin.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the origin of the transactions between two cuts. The binlog does not have it: it is found by comparing, in the order of the binlog, each
 * transaction with the first ones of each shard that are not passed, by commit time and rows. The order of each shard's log is kept in the binlog, so one
 * of them is the origin. For one thread.
 */
final class OriginSearch {
    private final StoredFiles files;
    private final List<SourceQueue> shards;
    private final BranchGroups groups = new BranchGroups();
    private final Set<Long> times = new HashSet<>();
    private final Set<Long> digests = new HashSet<>();
    private final List<Written> written;
    private int next;
    private SourceTransaction statement; // the last one: with several parts it is written as several transactions

    /** A transaction of a shard that may be the next one of the binlog. */
    private record Candidate(SourceQueue shard, int index, SourceTransaction head, Group group) {
        private long micros() {
            return group == null ? head.micros() : group.micros();
        }

        private long digest() {
            return group == null ? head.digest() : group.digest();
        }

        /** 2 if commit time and content are those of a transaction, 1 if one of them is, else 0. */
        private int fit(Written one) {
            boolean isOfKind = (head.kind() == TokenKind.DDL) == one.isStatement();
            boolean isOfTime = micros() == one.micros() && micros() != 0;
            boolean isOfContent = one.isStatement() || digest() == one.digest() && digest() != 0;
            return !isOfKind ? 0 : (isOfTime ? 1 : 0) + (isOfContent ? 1 : 0);
        }
    }

    /** @param shards their transactions between the cuts */
    OriginSearch(StoredFiles files, List<Written> written, List<SourceQueue> shards) {
        this.files = files;
        this.written = written;
        this.shards = shards;
        shards.forEach(groups::add);
        written.forEach(each -> {
            times.add(each.micros());
            digests.add(each.digest());
        });
        times.remove(0L);
        digests.remove(0L);
    }

    /**
     * The origin of the next transaction.
     *
     * @throws TributaryException READER_REFUSED if none or several fit
     */
    Origin next() {
        Written one = written.get(next++);
        if (one.isStatement() && one.micros() == 0) {
            return Origin.OF_SEVERAL;
        }
        if (statement != null && statement.micros() == one.micros()) {
            return new Origin(List.of(new Part(shardOf(statement), statement, null)));
        }
        Candidate origin = best(one);
        SourceTransaction head = origin.head();
        statement = head.kind() == TokenKind.DDL ? head : null;
        if (origin.group() != null) {
            return distributed(origin.group());
        }
        origin.shard().passTo(origin.index() + 1);
        return new Origin(List.of(new Part(origin.shard().name(), head, null)));
    }

    private String shardOf(SourceTransaction one) {
        return shards.stream()
                .filter(shard -> shard.all().contains(one))
                .findFirst()
                .orElseThrow()
                .name();
    }

    private Origin distributed(Group group) {
        group.written();
        List<Part> parts = new ArrayList<>();
        for (Branch branch : group.branches()) {
            branch.shard().pass(branch.prepare());
            branch.shard().open().add(branch.prepare().xid());
            parts.add(new Part(branch.shard().name(), branch.prepare(), branch.commit()));
        }
        return new Origin(parts);
    }

    private Candidate best(Written one) {
        List<Candidate> best = new ArrayList<>();
        int bestFit = 1;
        Set<Group> seen = new HashSet<>();
        for (SourceQueue shard : shards) {
            int index = shard.head(this::isPassing);
            if (index == shard.all().size()) {
                continue;
            }
            SourceTransaction head = shard.all().get(index);
            Candidate candidate = new Candidate(shard, index, head, groups.of(head));
            int fit = candidate.fit(one);
            if (fit < bestFit || candidate.group() != null && !seen.add(candidate.group())) {
                continue;
            }
            if (fit > bestFit) {
                best.clear();
                bestFit = fit;
            }
            best.add(candidate);
        }
        if (best.size() != 1) {
            throw unknown(one, best.size());
        }
        return best.get(0);
    }

    private TributaryException unknown(Written one, int found) {
        long before = written.get(0).gno() - 1;
        String known = (before > 0 ? files.gtid(before) + " and " : "")
                + files.gtid(written.get(written.size() - 1).gno());
        return StoredFiles.refused("expected one transaction of the shards with the commit time and the rows of "
                + files.gtid(one.gno()) + ", found " + found
                + ": its origin cannot be determined. The positions of the shards are known at the cuts around it, after "
                + known);
    }

    /** Whether a transaction of a shard changes nothing in the output between the cuts, so that the shard does not stop at it. */
    private boolean isPassing(SourceTransaction each) {
        return switch (each.kind()) {
            case LOCAL, DDL -> !each.hasEvents() || !times.contains(each.micros()) && !digests.contains(each.digest());
            case COMMIT -> isPassing(groups.of(each));
            case PREPARE, ROLLBACK, ROUND, SKIPPED -> true;
        };
    }

    private static boolean isPassing(Group group) {
        return group == null || group.isWritten() || !group.hasEvents();
    }

    /** Passes on each shard what directly follows and changes nothing in the output. */
    void passRest() {
        shards.forEach(shard -> shard.passRest(this::isPassing));
    }
}
