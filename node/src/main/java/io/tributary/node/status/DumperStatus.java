package io.tributary.node.status;

import io.tributary.common.cluster.Leader;
import io.tributary.common.config.HostPort;
import java.util.List;
import java.util.Optional;

/** A Dumper in one of its states. */
public sealed interface DumperStatus extends StatusPart {
    /**
     * A Dumper without a coordinator.
     *
     * @param replication present if it accepts followers
     */
    record Standalone(
            ReadersStatus readers, FilesStatus files, Optional<CutStatus> cut, Optional<ReplicationStatus> replication)
            implements DumperStatus {
        @Override
        public List<ShardStatus> positions() {
            return cut.map(CutStatus::shards).orElse(List.of());
        }
    }

    /**
     * A Dumper that copies a leader with a fixed address.
     *
     * @param leader its address
     * @param epoch of the leader
     */
    record Copying(
            HostPort leader, long epoch, CopyStatus copy, Optional<FilesStatus> files, Optional<ReadersStatus> readers)
            implements DumperStatus {}

    /** A Dumper of a cluster that neither leads nor follows. */
    record Electing() implements DumperStatus {}

    /** A Dumper of a cluster that copies the leader. */
    record Following(Leader leader, CopyStatus copy, Optional<FilesStatus> files, Optional<ReadersStatus> readers)
            implements DumperStatus {}

    /**
     * A Dumper of a cluster that leads.
     *
     * @param leader this node
     * @param leaseMillis for how long its lease holds without another proof
     * @param files empty before they are recovered
     */
    record Leading(
            Leader leader,
            long leaseMillis,
            ReadersStatus readers,
            Optional<FilesStatus> files,
            Optional<CutStatus> cut,
            Optional<ReplicationStatus> replication)
            implements DumperStatus {
        @Override
        public List<ShardStatus> positions() {
            return cut.map(CutStatus::shards).orElse(List.of());
        }
    }
}
