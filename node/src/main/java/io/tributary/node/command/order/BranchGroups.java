package io.tributary.node.command.order;

import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The distributed transactions whose branches are in the queues of shards. */
final class BranchGroups {
    private final Map<Xid, List<Group>> groups = new HashMap<>();
    private final Map<SourceTransaction, Group> ofCommit = new IdentityHashMap<>();

    /** One distributed transaction. */
    static final class Group {
        private final List<Branch> branches = new ArrayList<>();
        private boolean isWritten;

        /** Its branches. */
        List<Branch> branches() {
            return branches;
        }

        boolean isWritten() {
            return isWritten;
        }

        void written() {
            isWritten = true;
        }

        /** Commit time of the whole: the newest of its branches. */
        long micros() {
            return branches.stream()
                    .filter(branch -> branch.commit != null)
                    .mapToLong(branch -> branch.commit.micros())
                    .max()
                    .orElse(0);
        }

        long digest() {
            return branches.stream()
                    .mapToLong(branch -> branch.prepare.digest())
                    .sum();
        }

        boolean hasEvents() {
            return branches.stream().anyMatch(branch -> branch.prepare.hasEvents());
        }

        private Branch find(SourceQueue shard, Xid xid) {
            for (int i = branches.size() - 1; i >= 0; i--) {
                Branch branch = branches.get(i);
                if (branch.shard == shard && branch.prepare.xid().equals(xid)) {
                    return branch;
                }
            }
            return null;
        }
    }

    /** One branch; its XA COMMIT is null until it is read. */
    static final class Branch {
        private final SourceQueue shard;
        private final SourceTransaction prepare;
        private SourceTransaction commit;

        private Branch(SourceQueue shard, SourceTransaction prepare) {
            this.shard = shard;
            this.prepare = prepare;
        }

        SourceQueue shard() {
            return shard;
        }

        SourceTransaction prepare() {
            return prepare;
        }

        SourceTransaction commit() {
            return commit;
        }
    }

    /** Adds the branches of a shard. */
    void add(SourceQueue shard) {
        Set<Xid> written = new HashSet<>(shard.open());
        Map<Xid, Integer> uses = new HashMap<>();
        shard.prepared().stream()
                .filter(each -> !written.contains(each.xid()))
                .forEach(each -> add(shard, each, written, uses));
        shard.all().forEach(each -> add(shard, each, written, uses));
        shard.later().forEach(each -> add(shard, each, written, uses));
    }

    private void add(SourceQueue shard, SourceTransaction each, Set<Xid> written, Map<Xid, Integer> uses) {
        if (each.kind() != TokenKind.PREPARE && each.kind() != TokenKind.COMMIT && each.kind() != TokenKind.ROLLBACK) {
            return;
        }
        List<Group> known = groups.computeIfAbsent(each.xid().global(), unused -> new ArrayList<>());
        int use = uses.getOrDefault(each.xid().global(), 0);
        if (each.kind() == TokenKind.PREPARE) {
            boolean isNextUse = use < known.size()
                    && known.get(use).branches.stream()
                            .anyMatch(branch -> branch.shard == shard && branch.commit != null);
            use += isNextUse ? 1 : 0;
            uses.put(each.xid().global(), use);
            while (known.size() <= use) {
                known.add(new Group());
            }
            known.get(use).branches.add(new Branch(shard, each));
            return;
        }
        if (written.remove(each.xid()) || use >= known.size()) {
            return;
        }
        Group group = known.get(use);
        Branch branch = group.find(shard, each.xid());
        if (branch == null) {
            return;
        }
        if (each.kind() == TokenKind.ROLLBACK) {
            group.branches.remove(branch);
        } else {
            branch.commit = each;
            ofCommit.put(each, group);
        }
    }

    /** The transaction of an XA COMMIT; null if it was written before, or its XA PREPARE is not known. */
    Group of(SourceTransaction commit) {
        return ofCommit.get(commit);
    }

    /** The transaction of an XA PREPARE; null if there is none. */
    Group ofPrepare(SourceTransaction prepare) {
        return groups.getOrDefault(prepare.xid().global(), List.of()).stream()
                .filter(group -> group.branches.stream().anyMatch(branch -> branch.prepare == prepare))
                .findFirst()
                .orElse(null);
    }
}
