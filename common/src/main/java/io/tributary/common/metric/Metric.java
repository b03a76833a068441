package io.tributary.common.metric;

import static io.tributary.common.metric.Metric.Kind.COUNTER;
import static io.tributary.common.metric.Metric.Kind.GAUGE;

/** Every metric: name, kind, unit and one sentence. docs/metrics.md is generated from it. */
public enum Metric {
    LINK_DEPTH("tributary.link.depth", GAUGE, "items", "Items that wait in a link between two stages."),
    LINK_DEPTH_BYTES("tributary.link.depth.bytes", GAUGE, "bytes", "Bytes that wait in a link between two stages."),
    LINK_PASSED("tributary.link.passed", COUNTER, "items", "Items that went through a link."),
    LINK_NO_ROOM(
            "tributary.link.no.room.seconds", COUNTER, "seconds", "Time in which a link's writer found no room in it."),
    EXTRACT_BYTES("tributary.extract.bytes", COUNTER, "bytes", "Bytes of binlog events read from a shard."),
    EXTRACT_EVENTS("tributary.extract.events", COUNTER, "events", "Binlog events read from a shard."),
    EXTRACT_TRANSACTIONS("tributary.extract.transactions", COUNTER, "transactions", "Tokens sent for a shard."),
    EXTRACT_CONNECTS(
            "tributary.extract.connects", COUNTER, "connections", "Replication connections opened to a shard."),
    EXTRACT_LEFT_OUT(
            "tributary.extract.left.out",
            COUNTER,
            "transactions",
            "Transactions of a shard left out because an operator ordered it (tributary shard skip)."),
    EXTRACT_LAG("tributary.extract.lag.seconds", GAUGE, "seconds", "Age of the newest event read from a shard."),
    EXTRACT_HELD(
            "tributary.extract.held",
            GAUGE,
            "tokens",
            "Tokens of a shard that wait behind an undecided branch (order.mode=tso)."),
    EXTRACT_HOLE_AGE(
            "tributary.extract.hole.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest branch of a shard that is prepared and undecided (order.mode=tso); 0 for none."),
    SHARD_LAG("tributary.shard.lag.seconds", GAUGE, "seconds", "Age of the newest event processed from a shard."),
    SHARD_CLOCK_ERROR(
            "tributary.shard.clock.error.seconds",
            GAUGE,
            "seconds",
            "How far a shard's clock is from the node's, as the rounds bracket it."),
    ROUNDS(
            "tributary.rounds",
            COUNTER,
            "rounds",
            "Heartbeat rounds that every shard has acknowledged, but for those that take no writes."),
    MERGE_WAITS(
            "tributary.merge.waits",
            COUNTER,
            "waits",
            "Times that a merger held tokens back for a source that had none."),
    RELAY_TOKENS("tributary.relay.tokens", COUNTER, "tokens", "Tokens received from a relay."),
    RELAY_BYTES("tributary.relay.bytes", COUNTER, "bytes", "Bytes of messages received from a relay."),
    COLLECT_TRANSACTIONS(
            "tributary.collect.transactions", COUNTER, "transactions", "Transactions put into global order."),
    COLLECT_DISTRIBUTED(
            "tributary.collect.distributed", COUNTER, "transactions", "Distributed transactions among them."),
    COLLECT_WAITING("tributary.collect.waiting", GAUGE, "tokens", "Tokens that wait behind an incomplete transaction."),
    COLLECT_IN_DOUBT(
            "tributary.collect.in.doubt",
            GAUGE,
            "transactions",
            "Distributed transactions that are undecided for longer than order.indoubt.warn."),
    COLLECT_OLDEST(
            "tributary.collect.oldest.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest distributed transaction that is not emitted yet; tributary xa list names it."),
    COLLECT_XIDS_USED_AGAIN(
            "tributary.collect.xids.used.again",
            COUNTER,
            "transactions",
            "Transactions whose XID was used again before the one that used it first was emitted."),
    COLLECT_DDL_PENDING(
            "tributary.collect.ddl.pending",
            GAUGE,
            "statements",
            "DDL statements that some members have had and others not, and held transactions; tributary ddl list names them."),
    COLLECT_DDL_APPROXIMATE(
            "tributary.collect.ddl.approximate",
            COUNTER,
            "statements",
            "DDL statements written that add columns which each shard fills with values of its own (ddl.approximate)."),
    COLLECT_DDL_IGNORED(
            "tributary.collect.ddl.ignored",
            COUNTER,
            "statements",
            "DROP TABLE and TRUNCATE of one member that were not written (ddl.drop, ddl.truncate)."),
    COLLECT_DEFINITIONS_LEARNED(
            "tributary.collect.definitions.learned",
            COUNTER,
            "tables",
            "Tables whose table maps differed from what their statements had made: the shard was asked for the definition."),
    COLLECT_HELD_SHARDS(
            "tributary.collect.held.shards",
            GAUGE,
            "shards",
            "Shards that are held until an operator decides; tributary ddl list names why, and the commands for it."),
    COLLECT_LATE_BRANCHES(
            "tributary.collect.late.branches",
            COUNTER,
            "branches",
            "Branches that came after their transaction was emitted: a coordinator broke two-phase commit."),
    COLLECT_MIXED_OUTCOMES(
            "tributary.collect.mixed.outcomes",
            COUNTER,
            "branches",
            "Branches rolled back although other branches of their transaction committed."),
    DIRECT_MEMORY(
            "tributary.direct.memory.bytes",
            GAUGE,
            "bytes",
            "Direct memory in use, of -XX:MaxDirectMemorySize: payload, what was received, blocks on their way to files."),
    STORE_MEMORY(
            "tributary.store.memory.bytes",
            GAUGE,
            "bytes",
            "Off-heap memory that payload holds, and that the spill disk's buffers and caches use."),
    STORE_SPILLED("tributary.store.spilled.bytes", GAUGE, "bytes", "Payload that lies on the spill disk."),
    STORE_DISK(
            "tributary.store.disk.bytes",
            GAUGE,
            "bytes",
            "Bytes on the spill disk, also of payload released meanwhile; reading stops at store.disk.max."),
    STORE_WRITTEN("tributary.store.written.bytes", COUNTER, "bytes", "Payload written to the spill disk."),
    STORE_READ("tributary.store.read.bytes", COUNTER, "bytes", "Payload read back from the spill disk."),
    STORE_WAITING(
            "tributary.store.waiting",
            GAUGE,
            "shards",
            "Shards whose reading waits because the store is full (store.disk.max, store.tokens; in mode memory"
                    + " store.memory)."),
    STORE_TOKENS(
            "tributary.store.tokens.bytes",
            GAUGE,
            "bytes",
            "Heap of transactions that wait for their order, about; reading stops at store.tokens."),
    WRITE_BYTES("tributary.write.bytes", COUNTER, "bytes", "Bytes written to binlog files."),
    WRITE_TRANSACTIONS(
            "tributary.write.transactions", COUNTER, "transactions", "Transactions written to binlog files."),
    WRITE_SYNCS("tributary.write.syncs", COUNTER, "syncs", "Times that a binlog file was forced to disk."),
    SERVE_READERS("tributary.serve.readers", GAUGE, "readers", "Connected readers of the binlog."),
    SERVE_BYTES("tributary.serve.bytes", COUNTER, "bytes", "Bytes of events sent to readers."),
    SERVE_WAITING(
            "tributary.serve.waiting.bytes", GAUGE, "bytes", "Bytes of events that wait in memory for slow readers."),
    SERVE_SEMI_SYNC_READERS(
            "tributary.serve.semi.sync.readers",
            GAUGE,
            "readers",
            "Semi-sync readers that have acknowledged something."),
    SERVE_SEMI_SYNC_ACKS(
            "tributary.serve.semi.sync.acks", COUNTER, "acknowledgements", "Acknowledgements of semi-sync readers."),
    SERVE_SEMI_SYNC_TIMEOUTS(
            "tributary.serve.semi.sync.timeouts",
            COUNTER,
            "waits",
            "Times that the wait for semi-sync readers was given up (serve.semi-sync.timeout)."),
    SERVE_LOGINS_REFUSED(
            "tributary.serve.logins.refused",
            COUNTER,
            "logins",
            "Logins of readers refused for user, password or network."),
    SERVE_MEMORY(
            "tributary.serve.memory",
            GAUGE,
            "bytes",
            "Bytes that sessions of readers hold for what they have set, prepared, sent and asked for (serve.memory)."),
    SERVE_STALE(
            "tributary.serve.stale",
            GAUGE,
            "files",
            "Files of users or certificates that cannot be used as they are; what they held before goes on."),
    LEAD_FOLLOWERS("tributary.lead.followers", GAUGE, "followers", "Followers that copy this Dumper now."),
    LEAD_BYTES("tributary.lead.bytes", COUNTER, "bytes", "Bytes of binlog files sent to followers."),
    LEAD_WAITING(
            "tributary.lead.waiting.bytes",
            GAUGE,
            "bytes",
            "Bytes on the leader's disk that readers do not see yet, as too few followers have acknowledged them (dumper.ack)."),
    FOLLOW_BYTES("tributary.follow.bytes", COUNTER, "bytes", "Bytes of binlog files copied from the leader."),
    FOLLOW_BEHIND(
            "tributary.follow.behind.bytes", GAUGE, "bytes", "Bytes that the leader has and this follower has not."),
    FOLLOW_CUT_OFF(
            "tributary.follow.cut.off",
            COUNTER,
            "times",
            "Times that a follower threw away the end of its files because the leader's go on otherwise."),
    BACKUP_FILES("tributary.backup.files", COUNTER, "files", "Finished files that were backed up."),
    BACKUP_PENDING("tributary.backup.pending", GAUGE, "files", "Finished files that are not backed up yet."),
    BACKUP_BYTES("tributary.backup.sent.bytes", COUNTER, "bytes", "Bytes that went to the backup's store."),
    BACKUP_READ_BYTES(
            "tributary.backup.read.bytes",
            COUNTER,
            "bytes",
            "Bytes of purged files that came back from the backup for readers."),
    BINLOG_PURGED(
            "tributary.binlog.purged.files",
            COUNTER,
            "files",
            "Binlog files that were purged by age, size or free disk."),
    DATE_JUMPED(
            "tributary.date.jumped",
            GAUGE,
            "0 or 1",
            "1 while the machine's date has jumped by more than an hour: nothing is deleted by age then."),
    BACKUP_FAILURES(
            "tributary.backup.failures",
            COUNTER,
            "times",
            "Times that backing up failed; it is tried again each time."),
    TSO_HANDED_OUT("tributary.tso.handed.out", COUNTER, "timestamps", "Timestamps that the TSO service handed out."),
    TSO_OPEN(
            "tributary.tso.open",
            GAUGE,
            "turns",
            "Transactions that took a timestamp and are neither prepared nor given up."),
    TSO_OLDEST("tributary.tso.oldest.seconds", GAUGE, "seconds", "Age of the oldest of them: all others wait for it."),
    TSO_EXPIRED(
            "tributary.tso.expired", COUNTER, "turns", "Turns given up because nothing was heard within tso.lease.");

    /** How a metric behaves. */
    public enum Kind {
        COUNTER,
        GAUGE
    }

    private final String text;
    private final Kind kind;
    private final String unit;
    private final String about;

    Metric(String text, Kind kind, String unit, String about) {
        this.text = text;
        this.kind = kind;
        this.unit = unit;
        this.about = about;
    }

    /** Dotted name; Prometheus shows it with underscores. */
    public String text() {
        return text;
    }

    /** Whether it only grows, or goes up and down. */
    public Kind kind() {
        return kind;
    }

    /** What it counts: bytes, seconds, transactions, ... */
    public String unit() {
        return unit;
    }

    /** One sentence: what it says. */
    public String about() {
        return about;
    }
}
