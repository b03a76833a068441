package io.tributary.common.error;

import static io.tributary.common.error.Severity.CONTRADICTION;
import static io.tributary.common.error.Severity.OPERATOR;
import static io.tributary.common.error.Severity.RETRY;

/** The error codes of Tributary: severity, meaning and remedy. docs/errors.md is generated from this enum. */
public enum ErrorCode {
    // configuration and start
    CONFIG_INVALID(
            OPERATOR,
            "The configuration has problems; the message lists all of them.",
            "Correct the named keys; docs/configuration.md lists every key with its bounds."),
    DIRECTORY_UNUSABLE(
            OPERATOR,
            "A directory cannot be created, read or written.",
            "Create it, give the node's user the rights on it, or configure another directory."),
    DIRECTORY_IN_USE(
            OPERATOR,
            "Another node holds the lock of this directory.",
            "Stop the other node, or configure a separate directory for this one."),
    ADDRESS_UNUSABLE(
            OPERATOR,
            "The node cannot listen on an address.",
            "Configure an address of this machine and a free port, or stop the program that uses the port."),
    NODE_UNREACHABLE(
            OPERATOR,
            "A node does not answer on its admin address, or on its MySQL port.",
            "Start the node; for a command pass the configuration file with which it was started, for an applier or a"
                    + " sink check the addresses of the nodes."),
    NODE_NOT_READY(
            OPERATOR,
            "A node answers, but was not ready to serve within the time that a command waited for it.",
            "Correct what the reasons in the message name, or give the command more time."),
    ADMIN_LOGIN_REFUSED(
            OPERATOR,
            "A node's admin endpoint refused the user or the password of a command.",
            "Set admin.user and admin.password in the command's configuration to those with which the node was started."),
    ADMIN_PAGE_FAILED(
            OPERATOR,
            "A node's admin endpoint answered the request of a command with an error.",
            "See the message; if the node has another version, use the command of that version."),
    FILE_EXISTS(
            OPERATOR,
            "A command would have to overwrite a file.",
            "Name another file, or move the existing one away; nothing was written."),
    COMMAND_CANCELLED(
            OPERATOR,
            "A command was ended by a signal, such as Ctrl-C, before it was finished; its exit status is 130.",
            "Run it again; it has changed nothing."),
    DISK_FULL(
            OPERATOR,
            "A file could not be written because the disk is full.",
            "Free space, then start the node again: it resumes from its last cut. After a command, run the command again."),
    IO_FAILED(
            OPERATOR,
            "The operating system refused a file operation.",
            "See the cause in the message; check the disk."),
    SHARDS_CHANGED(
            OPERATOR,
            "The configuration lacks shards that are part of the last cut.",
            "Add the keys of the missing shards again; to stop reading a shard, run `tributary shard remove`"
                    + " while the node runs."),
    SHARD_CHANGE_FAILED(
            OPERATOR,
            "A shard was not added to a running node, or not removed from it; the node continues as before.",
            "See the message, then run the command again."),

    SKIP_REFUSED(OPERATOR, "A transaction cannot be left out as requested.", "See the message; nothing has changed."),
    DECISION_REFUSED(
            OPERATOR,
            "An operator's command about a DDL statement or a held shard cannot be executed.",
            "See the message; nothing has changed. `tributary ddl list` shows the open questions and the"
                    + " commands that answer them."),

    // the cluster
    CLUSTER_UNREACHABLE(
            RETRY,
            "ZooKeeper does not answer.",
            "Check cluster.zookeeper, the network and whether ZooKeeper runs; running roles continue until"
                    + " their lease ends."),
    CLUSTER_DAMAGED(
            RETRY,
            "An entry of the cluster in ZooKeeper has content that Tributary did not write.",
            "Read the entry with zkCli and find out who wrote it; set cluster.zookeeper.auth to keep others"
                    + " out. Repair an epoch with `tributary cluster repair-epoch`; delete the ZooKeeper node of any"
                    + " other entry. The nodes retry by themselves."),
    CLUSTER_DENIED(
            OPERATOR,
            "ZooKeeper denies this node access to the entries of the cluster: they belong to another ZooKeeper"
                    + " user.",
            "Set cluster.zookeeper.auth to the user and password that the other nodes of the cluster use;"
                    + " nothing has been changed."),
    CLUSTER_MISMATCH(
            OPERATOR,
            "A node does not fit the cluster that uses its cluster.path.",
            "See the message; nothing has been changed."),
    CLOCKS_APART(
            OPERATOR,
            "The date of this machine differs by hours or days from the date of the other nodes' machines:"
                    + " files would be purged, and deleted from the backup, by a wrong age.",
            "Correct the date of the machine that the message names (synchronize all machines by NTP), then"
                    + " start the node again."),
    // a shard
    SHARD_UNREACHABLE(RETRY, "A shard does not answer.", "Check host, port and network, and whether the server runs."),
    SHARD_LOGIN_REFUSED(
            OPERATOR,
            "A shard refused the user or the password.",
            "Check the user and password of the shard in the configuration, and the account on the shard."),
    SHARD_UNFIT(
            OPERATOR,
            "A shard's settings or grants do not allow the replication that Tributary needs.",
            "Run the statements that the message prints; `tributary check` lists all problems at once."),
    SHARD_SAME_SERVER(
            CONTRADICTION,
            "Two shard names lead to the same server, or one name leads to another server than before.",
            "Configure a different server for each shard. A replica that replaces a shard's server must"
                    + " contain all transactions that were read."),
    SHARD_POSITION_PURGED(
            OPERATOR,
            "A shard no longer has the binlogs that Tributary has to read next.",
            "Restore the purged binlogs on the shard; if this is not possible, run tributary shard reseed, see"
                    + " docs/operations.md, A shard whose binlog was reset or purged."),
    SHARD_HISTORY_LOST(
            OPERATOR,
            "A shard's binlog is not the one that was read before: it was reset (RESET MASTER, RESET BINARY"
                    + " LOGS AND GTIDS), or its server was restored.",
            "The shard stays held, so that no transaction is lost silently. Run tributary shard reseed, see"
                    + " docs/operations.md, A shard whose binlog was reset or purged."),
    SHARD_HELD(
            RETRY,
            "A shard that was read before can no longer be read; the node serves the transactions that it has,"
                    + " and retries.",
            "See the cause in the message. The stream resumes by itself after the shard, or its login (then"
                    + " run `tributary reload`), is corrected."),
    BRANCHES_PREPARED(
            RETRY,
            "A new stream would begin after the XA PREPARE of undecided branches: their rows would be missing.",
            "Ask their coordinator for the outcome, then run XA COMMIT or XA ROLLBACK on the shard; the start"
                    + " waits until this is done."),
    SHARD_STREAM_FAILED(RETRY, "A shard ended its replication stream with an error.", "See the shard's own message."),
    SQL_FAILED(OPERATOR, "A shard answered a statement with an error.", "See the shard's own message."),
    ROUNDS_SUPERSEDED(
            OPERATOR,
            "Another writer of heartbeat rounds with a higher epoch has taken over.",
            "Run the pipeline of a cluster in one Task only."),
    SHARDS_IN_USE(
            OPERATOR,
            "Another running node writes heartbeat rounds to a shard.",
            "Stop that node, or start this one with `tributary start --takeover`; this ends the other node."),

    // bytes from a shard
    EVENT_MALFORMED(
            CONTRADICTION,
            "A binlog event does not have the form that its type prescribes.",
            "Check the shard's binlog with mysqlbinlog at the named position."),
    EVENT_CHECKSUM_WRONG(
            RETRY,
            "The checksum of a binlog event does not match its bytes.",
            "Check the network and the shard's disk; the event is read again at the next retry."),
    EVENT_UNKNOWN(
            OPERATOR,
            "A binlog event has a type that Tributary does not know; if it is part of a transaction, the shard"
                    + " is held before that transaction.",
            "Upgrade Tributary, or leave the transaction out with a command that `tributary ddl list` shows,"
                    + " and apply its rows to the replicas manually."),
    STATEMENT_FORMAT(
            OPERATOR,
            "A transaction was logged as statements, not as rows; its shard is held before it.",
            "Set binlog_format=ROW on the shard, also for its sessions; then leave the transaction out with a"
                    + " command that `tributary ddl list` shows, and apply its rows to the replicas manually."),
    DDL_UNSUPPORTED(
            OPERATOR,
            "A DDL statement cannot be written to the global binlog as it was logged; its shard is held before"
                    + " it.",
            "Do on the replicas what the message asks for; then leave the statement out with a command that"
                    + " `tributary ddl list` shows."),
    PAYLOAD_TOO_LARGE(
            OPERATOR,
            "A compressed transaction is larger than the limit after decompression; its shard is held before" + " it.",
            "Raise extract.payload.limit and start the node again, or leave the transaction out with a command"
                    + " that `tributary ddl list` shows, and apply its rows to the replicas manually."),
    GTID_SET_MALFORMED(
            OPERATOR, "A text or byte string is not a valid GTID set.", "See the message for the expected form."),
    PROTOCOL_VIOLATED(
            RETRY, "A peer does not follow the MySQL protocol.", "Check that the peer is a MySQL server or client."),

    // order
    SCHEMA_MIXED(
            OPERATOR,
            "Rows of one table arrive with two different column lists, because a DDL statement has not been"
                    + " run on every member yet; the shard of the rows is held.",
            "Name the table in ddl.rows.pass and run `tributary reload` to pass its rows unchanged, or leave"
                    + " the transaction out with a command that `tributary ddl list` shows. In future, change columns"
                    + " while no session writes to the table."),
    VALUE_UNCONVERTIBLE(
            OPERATOR,
            "A shard on which a column change has not been run yet has a row whose value the changed column"
                    + " cannot store; the shard is held.",
            "Correct the row on the shard before the statement runs there, or leave the transaction out with a"
                    + " command that `tributary ddl list` shows, and apply its rows to the replicas manually."),
    DDL_WAITS(
            OPERATOR,
            "A statement that removes or renames tables was run on some members and not on others: the shard"
                    + " waits at the statement.",
            "Run the statement on the members that `tributary ddl list` names, or end the wait with one of the"
                    + " commands that it shows (docs/operations.md, \"Schema changes\")."),
    DDL_CONFLICT(
            OPERATOR,
            "A statement of one member differs from the statements that were written, and it cannot be run on"
                    + " the table as the table is in the output: its shard is held before it.",
            "Write another statement in its place with a command `tributary ddl text` that `tributary ddl"
                    + " list` proposes; or change the member's table to the columns that the message shows, then leave"
                    + " the statement out with a command that `tributary ddl list` shows (docs/operations.md, \"Schema"
                    + " changes\")."),
    CUT_UNUSABLE(
            CONTRADICTION,
            "A cut, or a record of the journal of table definitions, cannot be read or does not fit the files.",
            "Keep the files and report the error; restore a backup."),
    BRANCH_UNKNOWN(
            OPERATOR,
            "A branch commits that was not prepared since the stream began: its XA PREPARE is before the"
                    + " position in shard.NAME.start, or in binlogs that were purged. Its shard is held before the XA"
                    + " COMMIT.",
            "Leave the branch out with a command that `tributary ddl list` shows, and apply its rows to the"
                    + " replicas manually; or begin a new stream at a position before its XA PREPARE."),
    ORDER_CONTRADICTION(
            CONTRADICTION,
            "A shard's binlog contradicts what the shard logged before.",
            "Keep the files of the shard and of the node, and report the error."),
    TSO_REFUSED(
            CONTRADICTION,
            "A commit timestamp breaks the rules of order.mode=tso: it is missing, repeated, out of its"
                    + " bounds, or smaller than an earlier one.",
            "See docs/ordering.md for the rules that the coordinator must follow; keep the shard's binlog and"
                    + " correct the coordinator."),

    // store
    STORE_FULL(
            OPERATOR,
            "The transactions that wait for their order have reached store.disk.max or store.tokens.",
            "Raise the limit that the message names, or find out which shard delays the others."),
    STORE_FAILED(
            RETRY,
            "The spill store failed.",
            "See the cause in the message; the spill store is deleted at the next start."),

    // transmit
    STREAM_BROKEN(
            RETRY,
            "The stream between a relay and a Task, a Task and a Dumper, or two Dumpers has ended.",
            "Check the node that the message names, and the network."),
    STREAM_RENEWED(
            RETRY,
            "The streams are opened again, because relays were added or removed, or read other shards.",
            "No action is needed."),
    STREAM_CONTRADICTION(
            CONTRADICTION,
            "A chunk of a stream is missing, is repeated, or belongs to another cluster or version; or a relay"
                    + " has other shards or settings.",
            "Check that both nodes have the same version, the same cluster.id, and the same settings that the"
                    + " message names."),
    STREAM_REFUSED(
            RETRY,
            "A Task refuses the stream that the leading Dumper of its cluster requests; the Dumper asks the"
                    + " next Task.",
            "Check that the Task that the message names has the same version, cluster id and settings as the"
                    + " Dumper."),

    // followers
    EPOCH_OVER(
            RETRY,
            "A Dumper leads, or copies a leader, under an epoch that has ended: there is a new leader.",
            "No action is needed where the cluster elects the leader; otherwise let one Dumper lead and name"
                    + " it in dumper.leader of the others."),
    FOLLOWER_BEHIND(
            OPERATOR,
            "The leader has purged files that a follower still has to copy.",
            "Restore the follower's folder from the backup, or empty it: the follower then copies all files of"
                    + " the leader."),
    FOLLOWER_DIVERGED(
            CONTRADICTION,
            "A follower's files differ from the leader's where they must be equal: in acknowledged bytes, or"
                    + " within one epoch.",
            "Keep both folders and find out which one is right; then empty the other folder, so that its"
                    + " Dumper copies all files again."),

    // files and readers
    BINLOG_CORRUPT(
            CONTRADICTION,
            "A binlog file is damaged before its last cut, or missing.",
            "Restore the file from the backup or from a follower."),
    USERS_UNUSABLE(
            OPERATOR,
            "The users file cannot be read or written, or contains errors.",
            "Correct the named lines, or write the file with `tributary user`; a running node continues to use"
                    + " the previous users."),
    USER_CHANGE_REFUSED(OPERATOR, "A user was not added, changed or removed.", "See the message; nothing has changed."),
    TLS_UNUSABLE(
            OPERATOR,
            "A certificate or key for TLS cannot be used.",
            "Configure a certificate and a key in PEM that belong together, see docs/security.md; a running"
                    + " node continues to use the previous ones."),
    READER_REFUSED(OPERATOR, "A reader requested something that cannot be served.", "See the message."),
    BACKUP_FAILED(
            RETRY, "A file could not be copied to the backup.", "Check the backup directory or the object store."),
    BACKUP_CORRUPT(
            CONTRADICTION,
            "The checksum of a file in the backup differs from its checksum in the manifest.",
            "Keep the file and report the error; restore from another copy."),
    BACKUP_REFUSED(
            OPERATOR,
            "The backup store refuses a request (no rights, no bucket), or no configured key decrypts a file"
                    + " in the backup.",
            "Correct the bucket, the rights or the key that the message names; nothing was overwritten."),
    BACKUP_CONFLICT(
            CONTRADICTION,
            "The backup already has another object where a file or the manifest is to be written: two nodes"
                    + " may back up to the same place.",
            "Let only one node of a cluster back up, or configure another backup.prefix for each cluster;"
                    + " nothing was overwritten."),

    // the TSO service
    TSO_SERVICE_UNREACHABLE(
            RETRY,
            "The TSO service does not answer.",
            "Check tso.listen, the network and whether the node runs; roll back the transactions that wait for"
                    + " a timestamp."),
    TSO_SERVICE_REFUSED(
            OPERATOR,
            "The TSO service refused a request.",
            "See the message; if too many transactions are open, find the client that takes timestamps and"
                    + " does not prepare, or raise tso.turns."),
    TSO_MARK_DAMAGED(
            CONTRADICTION,
            "The high-water mark of the TSO service cannot be read, so timestamps might repeat.",
            "Restore tso.directory; if this is not possible, delete the file only when the clock is certainly"
                    + " later than every timestamp handed out."),
    TSO_CLOCK_UNUSABLE(
            OPERATOR,
            "The year of the machine's clock is not plausible for timestamps.",
            "Set the clock, then start the node again."),
    // a replica that is seeded or verified, and the target of an applier
    TARGET_UNREACHABLE(
            RETRY,
            "A target or replica does not answer.",
            "Check host, port and network, and whether the server runs."),
    TARGET_LOGIN_REFUSED(
            OPERATOR,
            "A target or replica refused the user or the password.",
            "Check the user and password that the command got, and the account on the server."),
    TARGET_UNFIT(
            OPERATOR,
            "A server cannot be seeded or verified as it is.",
            "Correct what the message names, then run the command again."),
    TARGET_FAILED(OPERATOR, "A target or replica answered a statement with an error.", "See the server's own message."),
    SEED_FAILED(
            OPERATOR,
            "A replica could not be seeded.",
            "See the message. Running the same command again resumes, if the message does not say otherwise."),
    REPLAY_FAILED(
            OPERATOR,
            "The stream has something that cannot be applied to a target.",
            "See the message, which names the transaction; correct its cause, then run the command again."),
    APPLY_HELD(
            RETRY,
            "The applier (node.role=apply) cannot continue: its target, its node or a transaction of the stream needs an"
                    + " operator.",
            "The applier waits and tries again."),
    SINK_HELD(
            RETRY,
            "The sink (node.role=sink) cannot continue: its broker, its node or a transaction of the stream needs an operator.",
            "The sink waits and tries again."),
    SINK_UNREACHABLE(RETRY, "The Kafka brokers do not answer.", "Check sink.brokers, the network and the brokers."),
    SINK_REFUSED(
            OPERATOR,
            "A Kafka broker refused the sink's account or one of its requests.",
            "Give the account the rights that docs/sink.md lists; the sink continues by itself."),
    SINK_FENCED(
            OPERATOR,
            "Another sink with the same name writes the same stream.",
            "Stop one of the two, or give it another sink.name. This one tries again."),
    SINK_OTHER_STREAM(
            OPERATOR,
            "The progress of the sink is that of another stream.",
            "Read the nodes of the stream that the message names, or use another sink.name."),
    SINK_TOPIC_UNFIT(
            OPERATOR,
            "A topic is missing, or its settings do not allow what the sink needs.",
            "See the message; the sink continues by itself."),
    SINK_PARTITIONS_CHANGED(
            OPERATOR,
            "A topic has another number of partitions than before, so that changes of one row would be in two of them.",
            "See docs/sink.md, \"More partitions\"; sink.partitions.changed=accept continues with the new number."),
    SINK_TABLE_UNFIT(
            OPERATOR,
            "The sink cannot send the rows of a table as it is configured.",
            "See the message; change the table, its rule, or leave it out with sink.tables."),
    SINK_MESSAGE_TOO_LARGE(
            OPERATOR,
            "A message is larger than the sink or its topic allows.",
            "Raise sink.message.bytes and max.message.bytes of the topic, or set sink.large-message."),
    SINK_TRANSACTION_TOO_LONG(
            OPERATOR,
            "A transaction of the stream did not end within the time that the broker allows for one Kafka transaction.",
            "Raise transaction.max.timeout.ms of the brokers and sink.transaction.timeout, or set sink.large=split."),
    SINK_SNAPSHOT_UNREACHABLE(
            RETRY,
            "The server whose rows the sink sends first does not answer.",
            "Check sink.snapshot, the network and the server; the copy continues where it was."),
    SINK_SNAPSHOT_UNFIT(
            OPERATOR,
            "The server of sink.snapshot is not a copy of the stream whose replication is stopped, or the account lacks a right.",
            "See the message and docs/sink.md, \"Initial data\"; the sink continues by itself."),
    SINK_REGISTRY_FAILED(
            OPERATOR,
            "The schema registry refused a schema or does not answer.",
            "See the message; correct the schema's compatibility or the registry. The sink continues by itself."),
    INTERNAL(CONTRADICTION, "The program is in a state that must not occur.", "Report the error with the log.");

    private final Severity severity;
    private final String meaning;
    private final String remedy;

    ErrorCode(Severity severity, String meaning, String remedy) {
        this.severity = severity;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** What the node does: retry, stop until an operator has acted, or stop and keep all evidence. */
    public Severity severity() {
        return severity;
    }

    /** Whether the error holds a shard that was read before: the node continues and retries until an operator has acted. */
    public boolean holdsShard() {
        return switch (this) {
            case SHARD_LOGIN_REFUSED, SHARD_UNFIT, SHARD_SAME_SERVER, SHARD_POSITION_PURGED, SHARD_HISTORY_LOST -> true;
            default -> false;
        };
    }

    /** One sentence: the meaning of the error. */
    public String meaning() {
        return meaning;
    }

    /** One sentence: what the operator does. */
    public String remedy() {
        return remedy;
    }
}
