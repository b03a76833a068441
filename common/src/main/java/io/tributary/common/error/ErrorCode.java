package io.tributary.common.error;

import static io.tributary.common.error.Severity.CONTRADICTION;
import static io.tributary.common.error.Severity.OPERATOR;
import static io.tributary.common.error.Severity.RETRY;

/** Every way in which Tributary fails: how severe it is, what it means and what to do. docs/errors.md is generated from it. */
public enum ErrorCode {
    // configuration and start
    CONFIG_INVALID(
            OPERATOR,
            "The configuration has problems; all of them are listed at once.",
            "Mend the named keys; docs/configuration.md lists every key with its bounds."),
    DIRECTORY_UNUSABLE(
            OPERATOR,
            "A directory cannot be created, read or written.",
            "Create it, give the node's user the rights, or name another one."),
    DIRECTORY_IN_USE(
            OPERATOR,
            "Another node holds the lock of this directory.",
            "Stop the other node, or give this one a directory of its own."),
    ADDRESS_UNUSABLE(
            OPERATOR,
            "The node cannot listen on an address.",
            "Name an address of this machine and a free port, or stop the program that holds it."),
    NODE_UNREACHABLE(
            OPERATOR,
            "No node answers on its admin address.",
            "Start the node, or name the configuration file that it was started with."),
    DISK_FULL(
            OPERATOR,
            "A file could not be written because the disk is full.",
            "Free space; the node resumes from its last cut when it is started again."),
    IO_FAILED(OPERATOR, "The operating system refused a file operation.", "See the message's cause; check the disk."),
    SHARDS_CHANGED(
            OPERATOR,
            "The configuration does not say where all shards of the last cut are.",
            "Give the missing shards their keys back; to read them no more, run tributary shard remove while the node runs."),
    SHARD_CHANGE_FAILED(
            OPERATOR,
            "A shard was not added to a running node, or not removed; the node goes on as before.",
            "See the message, then run the command again."),

    SKIP_REFUSED(
            OPERATOR, "A transaction was to be left out that must not be.", "See the message; nothing has changed."),
    ORDER_REFUSED(
            OPERATOR,
            "An operator's order about a DDL statement or a held shard cannot be carried out.",
            "See the message; nothing has changed. `tributary ddl list` shows what there is to decide, and the commands for it."),

    // the cluster
    CLUSTER_UNREACHABLE(
            RETRY,
            "ZooKeeper does not answer.",
            "Check cluster.zookeeper, the network and whether ZooKeeper runs; what runs goes on as long as its lease allows."),
    CLUSTER_DAMAGED(
            RETRY,
            "A node of the cluster in ZooKeeper has content that no node of Tributary wrote.",
            "Look at it with zkCli and find out who wrote it; set cluster.zookeeper.auth to keep others out. An epoch is mended by"
                    + " tributary cluster repair-epoch, other content by deleting that node; the nodes try again by themselves."),
    CLUSTER_DENIED(
            OPERATOR,
            "ZooKeeper refuses what a node of the cluster has to read or write: its nodes belong to another user.",
            "Set cluster.zookeeper.auth to the user and password that the other nodes of the cluster have; nothing has been changed."),
    CLUSTER_MISMATCH(
            OPERATOR,
            "A node and the cluster that meets at its cluster.path do not fit together.",
            "See the message; nothing has been changed."),
    CLOCKS_APART(
            OPERATOR,
            "The machine's date is hours or days from that of the other nodes' machines: files would be purged, and taken out of the"
                    + " backup, by a wrong age.",
            "Set the date of the machine that the message shows to be wrong (have all synchronised by NTP), then start the node again."),
    // a shard
    SHARD_UNREACHABLE(RETRY, "A shard does not answer.", "Check host, port, network and whether the server runs."),
    SHARD_LOGIN_REFUSED(
            OPERATOR,
            "A shard refused user or password.",
            "Check the user and password of the shard in the configuration, and the account on the shard."),
    SHARD_UNFIT(
            OPERATOR,
            "A shard's settings or grants do not allow replication as Tributary needs it.",
            "Run the statements that the message prints, or `tributary check` for all problems at once."),
    SHARD_SAME_SERVER(
            CONTRADICTION,
            "Two shard names lead to the same server, or one name to another server than before.",
            "Give every shard its own server in the configuration. A replica that takes over a shard needs all that was read."),
    SHARD_POSITION_PURGED(
            OPERATOR,
            "A shard no longer has the binlogs from which Tributary has to go on.",
            "Restore the purged binlogs on the shard; else see docs/operations.md, A shard whose binlog was reset or purged."),
    SHARD_HISTORY_LOST(
            OPERATOR,
            "A shard's binlog is not the one that was read: it was reset (RESET MASTER, RESET BINARY LOGS AND GTIDS), or its server was restored.",
            "The shard stays held, so that nothing is lost silently: see docs/operations.md, A shard whose binlog was reset or purged."),
    SHARD_HELD(
            RETRY,
            "A shard that was read refuses to be read on; the node serves what it has, and tries again.",
            "See the cause in the message. The stream resumes by itself once the shard, or its login (then `tributary reload`), is corrected."),
    BRANCHES_PREPARED(
            RETRY,
            "A new stream is to begin behind branches that are prepared and not decided: their rows would be missing.",
            "Ask their coordinator for the outcome, then run XA COMMIT or XA ROLLBACK on the shard; the start waits for that."),
    SHARD_STREAM_FAILED(RETRY, "A shard ended its replication stream with an error.", "See the shard's own message."),
    SQL_FAILED(OPERATOR, "A shard answered a statement with an error.", "See the shard's own message."),
    ROUNDS_DEPOSED(
            OPERATOR,
            "Another writer of heartbeat rounds with a higher epoch has taken over.",
            "Let only one Task run the pipeline of a cluster."),
    SHARDS_IN_USE(
            OPERATOR,
            "Another node, which is alive, writes heartbeat rounds to a shard.",
            "Stop that node, or take its shards from it with `tributary start --takeover`, which ends it."),

    // bytes from a shard
    EVENT_MALFORMED(
            CONTRADICTION,
            "A binlog event does not have the form that its type prescribes.",
            "Check the shard's binlog with mysqlbinlog at the named position."),
    EVENT_CHECKSUM_WRONG(
            RETRY,
            "A binlog event's checksum does not fit its bytes.",
            "Check the network and the shard's disk; the event is read again on retry."),
    EVENT_UNKNOWN(
            OPERATOR,
            "A binlog event of a type that Tributary does not know; inside a transaction its shard is held there.",
            "Upgrade Tributary, or leave the transaction out with a command that `tributary ddl list` names, and bring its rows to the"
                    + " readers by hand."),
    STATEMENT_FORMAT(
            OPERATOR,
            "A transaction was logged as statements, not as rows; its shard is held at it.",
            "Set binlog_format=ROW on the shard, also for its sessions; then leave the transaction out with a command that"
                    + " `tributary ddl list` names, and bring its rows to the readers by hand."),
    DDL_UNSUPPORTED(
            OPERATOR,
            "A DDL statement that cannot stand in the global binlog as it was logged; its shard is held at it.",
            "Do on the replicas what the message says; then leave the statement out with a command that `tributary ddl list` names."),
    PAYLOAD_TOO_LARGE(
            OPERATOR,
            "A compressed transaction unpacks to more than the limit; its shard is held at it.",
            "Raise extract.payload.limit and start the node again, or leave the transaction out with a command that"
                    + " `tributary ddl list` names, and bring its rows to the readers by hand."),
    GTID_SET_MALFORMED(OPERATOR, "A text or byte string is no GTID set.", "See the message for what was expected."),
    PROTOCOL_VIOLATED(
            RETRY, "A peer does not follow the MySQL protocol.", "Check that the peer is a MySQL server or client."),

    // order
    SCHEMA_MIXED(
            OPERATOR,
            "Rows of one table arrive in two shapes: a DDL statement has not reached every member yet; the shard of the rows is held.",
            "Name the table in ddl.rows.pass and run tributary reload to let its rows through as they are, or leave the transaction"
                    + " out with a command that `tributary ddl list` names. Change columns while the table is not written."),
    VALUE_UNCONVERTIBLE(
            OPERATOR,
            "A row of a shard that has not had a change of its columns yet has a value that the changed column cannot take; the shard is held.",
            "Mend the row on the shard before the statement runs there, or leave the transaction out with a command that `tributary"
                    + " ddl list` names, and bring its rows to the readers by hand."),
    DDL_WAITS(
            OPERATOR,
            "A statement that removes or renames tables has reached some members and not others: its shard waits at it.",
            "Run the statement on the members that `tributary ddl list` names, or end the wait with one of the commands there"
                    + " (docs/operations.md, \"Schema changes\")."),
    DDL_CONFLICT(
            OPERATOR,
            "A statement of one member has been written neither in these words nor in others, and cannot be run on the table as it is in"
                    + " the output: its shard is held at it.",
            "Write another statement in its place with a command `tributary ddl text` that `tributary ddl list` proposes; or bring the"
                    + " member's table to the columns that the message shows, then leave the statement out with a command that"
                    + " `tributary ddl list` names (docs/operations.md, \"Schema changes\")."),
    CUT_UNUSABLE(
            CONTRADICTION,
            "A cut, or a record of the journal of table definitions, cannot be read or does not fit.",
            "Keep the files and report it; restore a backup."),
    BRANCH_UNKNOWN(
            OPERATOR,
            "A branch commits that was not prepared since the stream began: its PREPARE stands before shard.NAME.start, or in"
                    + " binlogs that were purged. Its shard is held at the COMMIT.",
            "Leave the branch out with a command that `tributary ddl list` names, and bring its rows to the readers by hand; or begin a"
                    + " new stream from before its PREPARE."),
    ORDER_CONTRADICTION(
            CONTRADICTION,
            "What a shard logged contradicts what it logged before.",
            "Keep the files of shard and node, and report it."),
    TSO_REFUSED(
            CONTRADICTION,
            "A commit timestamp that order.mode=tso cannot follow: missing, repeated, out of its bounds, or going"
                    + " back.",
            "See docs/ordering.md for what the coordinator has to keep to; keep the shard's binlog and mend the"
                    + " coordinator."),

    // store
    STORE_FULL(
            OPERATOR,
            "What waits for its order has reached store.disk.max or store.tokens.",
            "Raise the limit that the message names, or see what holds a shard back."),
    STORE_FAILED(RETRY, "The spill store failed.", "See the message's cause; it is wiped at the next start."),

    // transmit
    STREAM_BROKEN(
            RETRY,
            "The stream between relay and Task, Task and Dumper, or two Dumpers, ended.",
            "Check the node that the message names, and the network."),
    STREAM_RENEWED(
            RETRY,
            "The streams are opened anew, as relays have come or gone, or have other shards.",
            "Nothing is wrong."),
    STREAM_CONTRADICTION(
            CONTRADICTION,
            "A chunk is missing, repeated or of another cluster or version; or a relay has other shards or settings.",
            "Check that both nodes have the same version, cluster id, and the settings that the message names."),
    STREAM_REFUSED(
            RETRY,
            "A Task refuses the stream that the leading Dumper of its cluster asks for; the next one is asked.",
            "Check that the Task that the message names has the same version, cluster id and settings as the Dumper."),

    // followers
    EPOCH_OVER(
            RETRY,
            "A Dumper was led, or copied, under an epoch that is over: another leader has begun.",
            "Nothing has to be done where a coordinator elects; else let one Dumper alone lead and the others name it in dumper.leader."),
    FOLLOWER_BEHIND(
            OPERATOR,
            "The leader has purged files that a follower needs to go on.",
            "Restore the follower's folder from the backup, or empty it: then it copies all that the leader has."),
    FOLLOWER_DIVERGED(
            CONTRADICTION,
            "A follower's files differ from the leader's where they must not: in what was acknowledged, or within one epoch.",
            "Keep both folders and find out which is right; then empty the other's and let it copy all."),

    // files and readers
    BINLOG_CORRUPT(
            CONTRADICTION,
            "A binlog file is damaged before its last cut.",
            "Restore the file from the backup or a follower."),
    USERS_UNUSABLE(
            OPERATOR,
            "The users file cannot be read or written, or has mistakes.",
            "Mend the named lines, or write it with `tributary user`; a running node goes on with the users that it had."),
    USER_CHANGE_REFUSED(OPERATOR, "A user was not added, changed or removed.", "See the message; nothing has changed."),
    TLS_UNUSABLE(
            OPERATOR,
            "A certificate or key for TLS cannot be used.",
            "Give certificate and key in PEM that fit each other, see docs/security.md; a running node goes on with those"
                    + " that it had."),
    READER_REFUSED(OPERATOR, "A reader asked for what cannot be served.", "See the message."),
    BACKUP_FAILED(RETRY, "A file could not be backed up.", "Check the backup directory or object store."),
    BACKUP_CORRUPT(
            CONTRADICTION,
            "A file in the backup does not have the checksum that the manifest names.",
            "Keep it and report it; restore from another copy."),
    BACKUP_REFUSED(
            OPERATOR,
            "The backup's store refuses what is asked of it (no rights, no bucket), or no key opens a file in it.",
            "Mend the bucket, the rights or the key that the message names; nothing was overwritten."),
    BACKUP_CONFLICT(
            CONTRADICTION,
            "Something else stands in the backup where a file or the manifest was to go: two nodes may back up to one place.",
            "Let one node back up a cluster, or give each its own backup.prefix; nothing was overwritten."),

    // the TSO service
    TSO_SERVICE_UNREACHABLE(
            RETRY,
            "The TSO service does not answer.",
            "Check tso.listen, the network and whether the node runs; roll back what waits."),
    TSO_SERVICE_REFUSED(
            OPERATOR,
            "The TSO service refused a call.",
            "See the message; where turns are short, find who takes timestamps and does not prepare, or raise tso.turns."),
    TSO_MARK_DAMAGED(
            CONTRADICTION,
            "The TSO service's high-water mark cannot be read, so timestamps might repeat.",
            "Restore tso.directory; without it, delete the file only if the clock is surely past every timestamp handed out."),
    TSO_CLOCK_UNUSABLE(
            OPERATOR, "The machine's clock is not in a sane year for timestamps.", "Set the clock, then start again."),
    INTERNAL(CONTRADICTION, "A state that the program excludes.", "Report it with the log.");

    private final Severity severity;
    private final String meaning;
    private final String remedy;

    ErrorCode(Severity severity, String meaning, String remedy) {
        this.severity = severity;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** What follows it: another try, an end until an operator has acted, or a stop with all evidence kept. */
    public Severity severity() {
        return severity;
    }

    /** Whether a shard that was read so far is held by it: tried again until an operator has corrected it, while the node runs. */
    public boolean holdsShard() {
        return switch (this) {
            case SHARD_LOGIN_REFUSED, SHARD_UNFIT, SHARD_SAME_SERVER, SHARD_POSITION_PURGED, SHARD_HISTORY_LOST -> true;
            default -> false;
        };
    }

    /** One sentence: what it is. */
    public String meaning() {
        return meaning;
    }

    /** One sentence: what to do. */
    public String remedy() {
        return remedy;
    }
}
