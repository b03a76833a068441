package io.tributary.common.metric;

import static io.tributary.common.metric.Metric.Kind.COUNTER;
import static io.tributary.common.metric.Metric.Kind.GAUGE;
import static io.tributary.common.metric.Metric.Kind.HISTOGRAM;
import static io.tributary.common.metric.Metric.Kind.INFO;

/** The metrics of Tributary: name, kind, unit and one sentence. docs/metrics.md is generated from this enum. */
public enum Metric {
    LINK_DEPTH("tributary.link.depth", GAUGE, "items", "Items that wait in a link between two stages."),
    LINK_DEPTH_BYTES("tributary.link.depth.bytes", GAUGE, "bytes", "Bytes that wait in a link between two stages."),
    LINK_PASSED("tributary.link.passed", COUNTER, "items", "Items that passed through a link."),
    LINK_NO_ROOM(
            "tributary.link.no.room.seconds",
            COUNTER,
            "seconds",
            "Time for which a link was full and its writer waited."),
    EXTRACT_BYTES("tributary.extract.bytes", COUNTER, "bytes", "Bytes of binlog events read from a shard."),
    EXTRACT_EVENTS("tributary.extract.events", COUNTER, "events", "Binlog events read from a shard."),
    EXTRACT_TRANSACTIONS(
            "tributary.extract.transactions",
            COUNTER,
            "transactions",
            "Transactions of a shard that were read and sent to the next stage as tokens."),
    EXTRACT_CONNECTS(
            "tributary.extract.connects", COUNTER, "connections", "Replication connections opened to a shard."),
    EXTRACT_LEFT_OUT(
            "tributary.extract.left.out",
            COUNTER,
            "transactions",
            "Transactions of a shard that were left out on an operator's command (tributary shard skip)."),
    EXTRACT_LAG("tributary.extract.lag.seconds", GAUGE, "seconds", "Age of the newest event read from a shard."),
    EXTRACT_HELD(
            "tributary.extract.held",
            GAUGE,
            "tokens",
            "Tokens of a shard that wait because a branch before them is undecided (order.mode=tso)."),
    EXTRACT_UNDECIDED_AGE(
            "tributary.extract.undecided.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest undecided branch of a shard (order.mode=tso); 0 = there is none.",
            "tributary.extract.hole.seconds"),
    SHARD_LAG("tributary.shard.lag.seconds", GAUGE, "seconds", "Age of the newest event processed from a shard."),
    SHARD_HELD(
            "tributary.shard.held",
            GAUGE,
            "1",
            "1 for each shard that is held until an operator acts, on the node that reads or orders it; there is no series"
                    + " for other shards. The label code names the reason (docs/errors.md), `tributary status` and"
                    + " `tributary ddl list` show the text and the commands."),
    SHARD_CLOCK_ERROR(
            "tributary.shard.clock.error.seconds",
            GAUGE,
            "seconds",
            "Difference between a shard's clock and the node's clock, as heartbeat rounds measure it."),
    ROUNDS(
            "tributary.rounds",
            COUNTER,
            "rounds",
            "Heartbeat rounds that all shards have acknowledged; shards that accept no writes are not counted."),
    MERGE_WAITS(
            "tributary.merge.waits",
            COUNTER,
            "waits",
            "Times that a merger waited because one of its sources had no token."),
    RELAY_TOKENS("tributary.relay.tokens", COUNTER, "tokens", "Tokens received from a relay."),
    RELAY_BYTES("tributary.relay.bytes", COUNTER, "bytes", "Bytes of messages received from a relay."),
    COLLECT_TRANSACTIONS(
            "tributary.collect.transactions", COUNTER, "transactions", "Transactions put into global order."),
    COLLECT_DISTRIBUTED(
            "tributary.collect.distributed",
            COUNTER,
            "transactions",
            "Distributed transactions put into global order."),
    COLLECT_ALONE(
            "tributary.collect.alone",
            COUNTER,
            "transactions",
            "Transactions that replicas apply alone with binlog.parallel=writeset: statements, large ones, those of tables"
                    + " that foreign keys with CASCADE or SET NULL reference, and those whose keys are not known."),
    COLLECT_DEPENDENCIES_OF_SHARDS(
            "tributary.collect.dependencies.of.shards",
            COUNTER,
            "transactions",
            "Transactions of tables whose definitions are not known: with binlog.parallel=writeset they depend on others as"
                    + " their shards report, and on the one before of the same table."),
    COLLECT_WAITING(
            "tributary.collect.waiting",
            GAUGE,
            "tokens",
            "Tokens that wait because a transaction before them is incomplete."),
    COLLECT_IN_DOUBT(
            "tributary.collect.in.doubt",
            GAUGE,
            "transactions",
            "Distributed transactions that have been undecided for longer than order.indoubt.warn."),
    COLLECT_OLDEST(
            "tributary.collect.oldest.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest distributed transaction that is not written yet; `tributary xa list` shows it."),
    COLLECT_XIDS_USED_AGAIN(
            "tributary.collect.xids.used.again",
            COUNTER,
            "transactions",
            "Transactions whose XID was used again before the first transaction with that XID was written."),
    COLLECT_DDL_PENDING(
            "tributary.collect.ddl.pending",
            GAUGE,
            "statements",
            "DDL statements that were run on some members and not on others, and held transactions; `tributary"
                    + " ddl list` shows them."),
    COLLECT_DDL_APPROXIMATE(
            "tributary.collect.ddl.approximate",
            COUNTER,
            "statements",
            "DDL statements that were written and that add a column whose values each shard computes itself"
                    + " (ddl.approximate)."),
    COLLECT_DDL_IGNORED(
            "tributary.collect.ddl.ignored",
            COUNTER,
            "statements",
            "DROP TABLE and TRUNCATE statements of one member that were not written (ddl.drop, ddl.truncate)."),
    COLLECT_DEFINITIONS_LEARNED(
            "tributary.collect.definitions.learned",
            COUNTER,
            "tables",
            "Tables whose table maps differed from the definition known from their DDL statements, so that the"
                    + " definition was read from the shard."),
    COLLECT_HELD_SHARDS(
            "tributary.collect.held.shards",
            GAUGE,
            "shards",
            "Shards of the pipeline of this node that are held until an operator acts, for any reason."),
    COLLECT_LATE_BRANCHES(
            "tributary.collect.late.branches",
            COUNTER,
            "branches",
            "Branches that arrived after their transaction was written: a coordinator violated two-phase commit."),
    COLLECT_MIXED_OUTCOMES(
            "tributary.collect.mixed.outcomes",
            COUNTER,
            "branches",
            "Branches rolled back although other branches of their transaction committed."),
    DIRECT_MEMORY(
            "tributary.direct.memory.bytes",
            GAUGE,
            "bytes",
            "Direct memory in use, limited by -XX:MaxDirectMemorySize: payload, received bytes, and blocks to be"
                    + " written to files."),
    STORE_MEMORY(
            "tributary.store.memory.bytes",
            GAUGE,
            "bytes",
            "Off-heap memory used by payload and by the buffers and caches of the spill disk."),
    STORE_SPILLED("tributary.store.spilled.bytes", GAUGE, "bytes", "Payload that is stored on the spill disk."),
    STORE_DISK(
            "tributary.store.disk.bytes",
            GAUGE,
            "bytes",
            "Bytes on the spill disk, including released payload that is not deleted yet; reading stops at"
                    + " store.disk.max."),
    STORE_WRITTEN("tributary.store.written.bytes", COUNTER, "bytes", "Payload written to the spill disk."),
    STORE_READ("tributary.store.read.bytes", COUNTER, "bytes", "Payload read back from the spill disk."),
    STORE_WAITING(
            "tributary.store.waiting",
            GAUGE,
            "shards",
            "Shards whose reading waits because the store is full (store.disk.max, store.tokens; store.memory if"
                    + " store.mode is memory)."),
    STORE_TOKENS(
            "tributary.store.tokens.bytes",
            GAUGE,
            "bytes",
            "Approximate heap used by transactions that wait for their order; reading stops at store.tokens."),
    WRITE_BYTES("tributary.write.bytes", COUNTER, "bytes", "Bytes written to binlog files."),
    WRITE_TRANSACTIONS(
            "tributary.write.transactions", COUNTER, "transactions", "Transactions written to binlog files."),
    WRITE_SYNCS("tributary.write.syncs", COUNTER, "syncs", "Times that a binlog file was synced to disk."),
    SERVE_READERS("tributary.serve.readers", GAUGE, "readers", "Connected readers of the binlog."),
    SERVE_BYTES("tributary.serve.bytes", COUNTER, "bytes", "Bytes of events sent to readers."),
    SERVE_WAITING(
            "tributary.serve.waiting.bytes", GAUGE, "bytes", "Bytes of events that wait in memory for slow readers."),
    SERVE_SEMI_SYNC_READERS(
            "tributary.serve.semi.sync.readers",
            GAUGE,
            "readers",
            "Connected semi-sync readers that have sent an acknowledgement."),
    SERVE_SEMI_SYNC_ACKS(
            "tributary.serve.semi.sync.acks", COUNTER, "acknowledgements", "Acknowledgements of semi-sync readers."),
    SERVE_SEMI_SYNC_TIMEOUTS(
            "tributary.serve.semi.sync.timeouts",
            COUNTER,
            "waits",
            "Times that the wait for semi-sync readers timed out (serve.semi-sync.timeout)."),
    SERVE_LOGINS_REFUSED(
            "tributary.serve.logins.refused",
            COUNTER,
            "logins",
            "Logins of readers that were refused because of user, password or network."),
    SERVE_MEMORY(
            "tributary.serve.memory",
            GAUGE,
            "bytes",
            "Memory that readers' sessions use for user variables, prepared statements, packets and large"
                    + " results (serve.memory)."),
    SERVE_STALE(
            "tributary.serve.stale",
            GAUGE,
            "files",
            "Users files and certificate files that cannot be used now; their previous content stays in use."),
    LEAD_FOLLOWERS("tributary.lead.followers", GAUGE, "followers", "Followers that copy from this Dumper now."),
    LEAD_BYTES("tributary.lead.bytes", COUNTER, "bytes", "Bytes of binlog files sent to followers."),
    LEAD_WAITING(
            "tributary.lead.waiting.bytes",
            GAUGE,
            "bytes",
            "Bytes on the leader's disk that readers do not see yet, because too few followers have acknowledged"
                    + " them (dumper.ack)."),
    FOLLOW_BYTES("tributary.follow.bytes", COUNTER, "bytes", "Bytes of binlog files copied from the leader."),
    FOLLOW_BEHIND(
            "tributary.follow.behind.bytes",
            GAUGE,
            "bytes",
            "Bytes that the leader has and this follower has not copied yet. A file that the leader has finished since the"
                    + " follower connected counts as binlog.file.size."),
    FOLLOW_CUT_OFF(
            "tributary.follow.cut.off",
            COUNTER,
            "times",
            "Times that a follower truncated its files because the leader's files differ from there on."),
    BACKUP_FILES("tributary.backup.files", COUNTER, "files", "Finished files that were backed up."),
    BACKUP_PENDING("tributary.backup.pending", GAUGE, "files", "Finished files that are not backed up yet."),
    BACKUP_BYTES("tributary.backup.sent.bytes", COUNTER, "bytes", "Bytes sent to the backup store."),
    BACKUP_READ_BYTES(
            "tributary.backup.read.bytes",
            COUNTER,
            "bytes",
            "Bytes of purged files that were read from the backup for readers."),
    BINLOG_PURGED(
            "tributary.binlog.purged.files",
            COUNTER,
            "files",
            "Binlog files that were purged because of age, total size or free disk space."),
    DATE_JUMPED(
            "tributary.date.jumped",
            GAUGE,
            "0 or 1",
            "1 after the machine's date has jumped by more than an hour; as long as it is 1, no file is deleted"
                    + " by age."),
    BACKUP_FAILURES(
            "tributary.backup.failures",
            COUNTER,
            "times",
            "Times that a backup of files failed; each failure is followed by a retry."),
    VERIFY_LAST(
            "tributary.verify.last.seconds",
            GAUGE,
            "seconds",
            "When the last complete comparison of a replica with the shards ended (verify.every), in seconds since"
                    + " 1970; NaN before the first one since the start of the node. The label names the replica."),
    VERIFY_DURATION(
            "tributary.verify.duration.seconds",
            GAUGE,
            "seconds",
            "Duration of the last complete comparison of a replica."),
    VERIFY_ROWS("tributary.verify.rows", COUNTER, "rows", "Rows of a replica that were compared with the shards."),
    VERIFY_FINDINGS(
            "tributary.verify.findings",
            GAUGE,
            "findings",
            "Differences that the last comparison of a replica has found. Above 0 the replica differs: alert"
                    + " `tributary_verify_findings > 0` (docs/verify.md)."),
    VERIFY_FAILURES(
            "tributary.verify.failures",
            COUNTER,
            "times",
            "Comparisons of a replica that failed, such as while it was down; each is repeated at the next turn."),
    APPLY_TRANSACTIONS(
            "tributary.apply.transactions",
            COUNTER,
            "transactions",
            "Transactions of the stream that have committed on the target of an applier (node.role=apply)."),
    APPLY_BYTES("tributary.apply.bytes", COUNTER, "bytes", "Bytes of the events of these transactions."),
    APPLY_RETRIES(
            "tributary.apply.retries",
            COUNTER,
            "attempts",
            "Attempts of an applier that were repeated at once: after a deadlock, a lock wait timeout, or a turn to commit"
                    + " that did not come."),
    APPLY_LEFT_OUT(
            "tributary.apply.left.out",
            COUNTER,
            "statements",
            "Statements that an applier did not execute on its target: triggers, routines, events, accounts"
                    + " (docs/apply.md)."),
    APPLY_WORKERS_ACTIVE(
            "tributary.apply.workers.active",
            GAUGE,
            "workers",
            "Sessions of an applier that apply a transaction now, of apply.workers."),
    APPLY_BLOCKED(
            "tributary.apply.blocked.seconds",
            COUNTER,
            "seconds",
            "Time that an applier lost, by the label reason. memory: the stream was not read because of apply.memory; barrier:"
                    + " it was not read because something that is applied alone waited for all before it; dependency:"
                    + " sessions were idle because all waiting transactions depend on unfinished ones; worker: a"
                    + " transaction could start and all sessions were busy."),
    APPLY_ORDER_WAIT(
            "tributary.apply.order.wait.seconds",
            COUNTER,
            "seconds",
            "Time for which sessions of an applier waited for their turn to commit (apply.order=strict), added over all"
                    + " sessions."),
    APPLY_LAG(
            "tributary.apply.lag.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest transaction that an applier has read and that has not committed on the target; if there is"
                    + " none, 0, or the age of the newest transaction that was read while the node has newer ones; NaN"
                    + " while it is not known."),
    APPLY_LAG_TRANSACTIONS(
            "tributary.apply.lag.transactions",
            GAUGE,
            "transactions",
            "Transactions that the node has and that an applier has not applied yet; NaN while the node does not answer."),
    SINK_TRANSACTIONS(
            "tributary.sink.transactions",
            COUNTER,
            "transactions",
            "Transactions of the stream whose messages are committed in Kafka by a sink (node.role=sink)."),
    SINK_ROWS("tributary.sink.rows", COUNTER, "rows", "Rows whose messages a sink has sent."),
    SINK_MESSAGES(
            "tributary.sink.messages", COUNTER, "messages", "Messages that a sink has sent, without its progress."),
    SINK_BYTES(
            "tributary.sink.bytes",
            COUNTER,
            "bytes",
            "Bytes of keys and values of these messages, before compression."),
    SINK_COMMITS(
            "tributary.sink.commits",
            COUNTER,
            "commits",
            "Kafka transactions that a sink has committed; with sink.delivery=at-least-once, places that it has stored."),
    SINK_ABORTS("tributary.sink.aborts", COUNTER, "transactions", "Kafka transactions that a sink has aborted."),
    SINK_STATEMENTS("tributary.sink.statements", COUNTER, "statements", "Statements (DDL) that a sink has sent."),
    SINK_LARGE(
            "tributary.sink.large",
            COUNTER,
            "messages",
            "Messages that a sink has stored or shortened because they were larger than sink.message.bytes."),
    SINK_BLOCKED(
            "tributary.sink.blocked.seconds",
            COUNTER,
            "seconds",
            "Time that a sink lost, by the label reason. memory: the stream was not read because of sink.memory; broker: sending"
                    + " waited for the brokers."),
    SINK_MEMORY(
            "tributary.sink.memory.bytes",
            GAUGE,
            "bytes",
            "Events and messages of a sink that were read and are not acknowledged by the brokers."),
    SINK_LAG(
            "tributary.sink.lag.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest transaction that a sink has read and that is not committed in Kafka; if there is none, 0, or"
                    + " the age of the newest transaction that was read while the node has newer ones; NaN while it is not"
                    + " known."),
    SINK_LAG_TRANSACTIONS(
            "tributary.sink.lag.transactions",
            GAUGE,
            "transactions",
            "Transactions that the node has and that a sink has not committed in Kafka yet; NaN while the node does not"
                    + " answer."),
    TSO_HANDED_OUT("tributary.tso.handed.out", COUNTER, "timestamps", "Timestamps that the TSO service handed out."),
    TSO_OPEN(
            "tributary.tso.open",
            GAUGE,
            "turns",
            "Transactions that have a timestamp and are neither prepared nor expired."),
    TSO_OLDEST(
            "tributary.tso.oldest.seconds",
            GAUGE,
            "seconds",
            "Age of the oldest open transaction of the TSO service; all later ones wait for it."),
    TSO_EXPIRED(
            "tributary.tso.expired",
            COUNTER,
            "turns",
            "Transactions that expired because their client sent nothing within tso.lease."),
    SERVED_DELAY(
            "tributary.served.delay.seconds",
            HISTOGRAM,
            "seconds",
            "Time from the commit of a transaction on its shard until readers may receive it: once for each durable group of"
                    + " transactions, for its oldest one. With dumper.ack it includes the wait for followers."),
    WRITE_BATCH_BYTES(
            "tributary.write.batch.bytes",
            HISTOGRAM,
            "bytes",
            "Bytes that are written to a binlog file with one call."),
    WRITE_BATCH_SECONDS(
            "tributary.write.batch.seconds", HISTOGRAM, "seconds", "Duration of a call that writes to a binlog file."),
    WRITE_SYNC_SECONDS(
            "tributary.write.sync.seconds", HISTOGRAM, "seconds", "Duration of a sync of a binlog file to disk."),
    SERVE_SEND_SECONDS(
            "tributary.serve.send.seconds",
            HISTOGRAM,
            "seconds",
            "Time to read up to 16 blocks of binlog files and to write them to the connection of a reader."),
    SERVE_READER_LAG_BYTES(
            "tributary.serve.reader.lag.bytes",
            GAUGE,
            "bytes",
            "Bytes that a reader may read and that were not sent to it yet; without files that were purged here. The labels name the user and the reader: its"
                    + " replica uuid, else its server id, else \"other\" for the readers with neither. At most 256"
                    + " readers have series; the series of a reader end with its connection."),
    SERVE_READER_LAG_TRANSACTIONS(
            "tributary.serve.reader.lag.transactions",
            GAUGE,
            "transactions",
            "Transactions that a reader may read and that were not sent to it completely."),
    SERVE_READER_LAG_SECONDS(
            "tributary.serve.reader.lag.seconds",
            GAUGE,
            "seconds",
            "Age, since its commit on the shard, of the first transaction that was not sent to a reader completely; 0"
                    + " if there is none."),
    SERVE_READER_CONNECTED(
            "tributary.serve.reader.connected.seconds",
            GAUGE,
            "seconds",
            "How long a reader has been reading from this node. Only readers that wait for new transactions and have a replica"
                    + " uuid or a server id: not mysqlbinlog that ends at the end of the binlog."),
    BINLOG_BYTES("tributary.binlog.bytes", GAUGE, "bytes", "Bytes of all binlog files of this node that may be read."),
    BINLOG_DISK_FREE(
            "tributary.binlog.disk.free.bytes",
            GAUGE,
            "bytes",
            "Free bytes on the disk of binlog.directory; NaN if they cannot be read."),
    BUILD("tributary.build", INFO, "1", "Version and revision of the program, and the version of Java."),
    NODE_STATE(
            "tributary.node.state",
            GAUGE,
            "1",
            "1, with the labels role and state: starting, running, leader, follower, electing, retrying or stopping."),
    NODE_READY(
            "tributary.node.ready",
            GAUGE,
            "0 or 1",
            "Whether /health/ready answers 200 (docs/operations.md, \"Health\")."),
    NODE_LEADER("tributary.node.leader", GAUGE, "0 or 1", "Whether this node is the leader of the Dumpers."),
    NODE_TERM(
            "tributary.node.term",
            GAUGE,
            "term",
            "Term (epoch) of the leader that this node knows; 0 without a coordinator or a leader."),
    LEAD_NEEDED(
            "tributary.lead.needed",
            GAUGE,
            "followers",
            "Followers that must have data before readers may receive it (dumper.ack)."),
    CERTIFICATE_EXPIRES(
            "tributary.certificate.expires.seconds",
            GAUGE,
            "seconds",
            "When a certificate of this node expires, in seconds since 1970. The label key names its configuration key."),
    LOG_MESSAGES(
            "tributary.log.messages",
            COUNTER,
            "messages",
            "Messages of level ERROR and WARN, by the label level, also those that were suppressed because they were repeated.");

    /** The kinds of metrics. */
    public enum Kind {
        COUNTER,
        GAUGE,
        /** Counts of values by upper bounds, with their sum. */
        HISTOGRAM,
        /** The constant 1; its labels are the content. */
        INFO
    }

    private final String text;
    private final Kind kind;
    private final String unit;
    private final String about;
    private final String formerly;

    Metric(String text, Kind kind, String unit, String about) {
        this(text, kind, unit, about, "");
    }

    Metric(String text, Kind kind, String unit, String about, String formerly) {
        this.text = text;
        this.kind = kind;
        this.unit = unit;
        this.about = about;
        this.formerly = formerly;
    }

    /** The name with dots; Prometheus shows it with underscores. */
    public String text() {
        return text;
    }

    /** The name in Prometheus text. */
    public String prometheus() {
        String name = text.replace('.', '_');
        return switch (kind) {
            case COUNTER -> name + "_total";
            case INFO -> name + "_info";
            case GAUGE, HISTOGRAM -> name;
        };
    }

    /** The kind: a counter only grows, a gauge also falls. */
    public Kind kind() {
        return kind;
    }

    /** The unit: bytes, seconds, transactions, ... */
    public String unit() {
        return unit;
    }

    /** The metric's name in the previous version, which is also exposed; empty = none. */
    public String formerly() {
        return formerly;
    }

    /** One sentence: the meaning of the metric. */
    public String about() {
        return about;
    }
}
