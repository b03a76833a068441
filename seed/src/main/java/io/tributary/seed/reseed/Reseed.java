package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import io.tributary.extractor.CorrectionTable;
import io.tributary.extractor.check.TableNames;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import io.tributary.seed.verify.TableReader;
import io.tributary.seed.verify.TableServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Makes a shard whose changes were lost part of the stream again: compares its rows with those of a replica that has applied the whole stream, and writes the
 * differences as corrections into its binlog. Nothing has changed for the stream until the caller stores the returned place in a cut; until then a run
 * may be ended at any time and begun again. No node may extend the stream meanwhile. For one thread.
 */
public final class Reseed {
    private static final int MOST_TRIES = 30;
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final ReseedServers servers;
    private final TableNames names;
    private final long serverId;
    private final Consumer<String> progress;

    /**
     * Creates a run.
     *
     * @param serverId of the replica as which binlogs are read
     * @param progress receives lines for the operator
     */
    public Reseed(ReseedServers servers, TableNames names, long serverId, Consumer<String> progress) {
        this.servers = servers;
        this.names = names;
        this.serverId = serverId;
        this.progress = progress;
    }

    /**
     * Compares and writes; blocks.
     *
     * @param cut the last one of the stream
     * @return the shard's part of the next cut
     * @throws TributaryException DECISION_REFUSED if the rows cannot be made right in this way, TARGET_UNFIT for an unsuitable replica, SHARD_* and
     *     SQL_FAILED of a shard, TARGET_* of the replica
     */
    public Cut.ShardCut run(Cut cut) {
        Cut.ShardCut held = require(cut);
        requireReplica();
        requireMysql(servers.shard());
        requireNoneIsPrepared(cut);
        List<Peer> all = new ArrayList<>(List.of(servers.shard()));
        all.addAll(servers.others());
        try (CorrectionWriter writer = CorrectionWriter.open(servers.client(), servers.shard())) {
            writer.createSchema();
            writer.dropTables();
            try (ShardSnapshot snapshot = ShardSnapshot.open(servers.client(), servers.shard());
                    TableServers sessions = new TableServers(servers.client(), servers.replica())) {
                progress.accept("snapshot of " + servers.shard() + " after "
                        + snapshot.executed().line());
                requireOwnServer(cut, snapshot.serverUuid());
                sessions.use(snapshot.session());
                // after the snapshot: a table that is created between the two would have no corrections
                List<LogicalTable> tables =
                        TableCatalog.ofShards(servers.client(), all, names).tables();
                List<TableDifference> differences = differences(tables, sessions);
                decide(differences, cut);
                Corrections corrections = write(differences, writer);
                requireReplica();
                writer.dropTables();
                return held.resuming(snapshot.serverUuid(), snapshot.executed(), corrections);
            }
        }
    }

    private Cut.ShardCut require(Cut cut) {
        if (!cut.schema().pending().isEmpty()) {
            throw refused("expected no schema change in progress, found "
                    + cut.schema().pending().size() + ": decide them with tributary ddl first");
        }
        for (Cut.ShardCut each : cut.shards()) {
            if (!each.name().equals(servers.shard().name())
                    && !each.correctionsLeft().isEmpty()) {
                throw refused("expected that all corrections of an earlier reseed are in the stream, found that "
                        + each.correctionsLeft().line() + " of shard " + each.name()
                        + " are not: start the node until they are written");
            }
        }
        return cut.shards().stream()
                .filter(each -> each.name().equals(servers.shard().name()))
                .findFirst()
                .orElseThrow(() -> refused("expected one of the shards "
                        + cut.shards().stream().map(Cut.ShardCut::name).toList() + ", found '"
                        + servers.shard().name() + "'"));
    }

    private void requireOwnServer(Cut cut, String uuid) {
        for (Cut.ShardCut each : cut.shards()) {
            if (each.serverUuid().equals(uuid)
                    && !each.name().equals(servers.shard().name())) {
                throw new TributaryException(
                        ErrorCode.SHARD_SAME_SERVER,
                        "shard " + servers.shard().name() + ": expected a server of its own, found server " + uuid
                                + ", which is also shard " + each.name());
            }
        }
    }

    private void requireReplica() {
        try (SqlSession session = SqlSession.open(servers.client(), servers.replica())) {
            if (session.isMariadb()) {
                throw session.unfit(ErrorCode.TARGET_UNFIT, "expected a MySQL server, found MariaDB");
            }
            GtidSet applied = GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
            GtidSet missing = servers.stream().minus(applied);
            if (!missing.isEmpty()) {
                throw session.unfit(
                        ErrorCode.TARGET_UNFIT,
                        "expected a replica that has applied all of the stream, "
                                + servers.stream().line()
                                + ", found one that lacks " + missing.line()
                                + ": start the node until the replica has applied them, stop it, and run the command again");
            }
        }
    }

    private void requireMysql(Peer shard) {
        try (SqlSession session = SqlSession.open(servers.client(), shard)) {
            if (session.isMariadb()) {
                throw refused("expected MySQL servers, found MariaDB on " + shard + ": set up a new stream");
            }
        }
    }

    /** A branch that the stream contains, and that its shard does not show yet, would look like a row of the held shard. */
    private void requireNoneIsPrepared(Cut cut) {
        for (int i = 0; i < cut.shards().size(); i++) {
            String name = cut.shards().get(i).name();
            Set<Xid> open = RowOwners.openOf(cut, i);
            for (Peer other : servers.others()) {
                if (other.name().equals(name)) {
                    requireMysql(other);
                    requireNoneIsPrepared(other, open);
                }
            }
        }
    }

    private void requireNoneIsPrepared(Peer shard, Set<Xid> open) {
        try (SqlSession session = SqlSession.open(servers.client(), shard)) {
            for (int tries = 1; ; tries++) {
                Set<Xid> prepared = ShardSnapshot.prepared(session);
                prepared.retainAll(open);
                if (prepared.isEmpty()) {
                    return;
                }
                if (tries == MOST_TRIES) {
                    throw refused("expected that branches which the stream contains are committed on " + shard
                            + ", found prepared ones: " + prepared + "; commit them");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private List<TableDifference> differences(List<LogicalTable> tables, TableServers sessions) {
        List<TableDifference> differences = new ArrayList<>();
        for (LogicalTable table : tables) {
            if (table.members().isEmpty()) {
                continue;
            }
            TableDifference difference = new TableDifference(
                    new TableReader(sessions, table), servers.shard().name());
            difference.find();
            differences.add(difference);
        }
        return differences;
    }

    /** The rows are encoded under GTIDs of their own, which are no corrections. */
    private void decide(List<TableDifference> differences, Cut cut) {
        try (CorrectionWriter encoder = CorrectionWriter.open(servers.client(), servers.shard())) {
            new RowOwners(servers, names, cut, serverId).decide(differences, encoder);
        }
    }

    /** All rows are removed before any is written, so that unique values may have moved from row to row. */
    private Corrections write(List<TableDifference> differences, CorrectionWriter writer) {
        List<TableDifference> changed =
                differences.stream().filter(each -> !each.isEmpty()).toList();
        List<TableName> physical = changed.stream().map(Reseed::requirePhysical).toList();
        for (int i = 0; i < changed.size(); i++) {
            writer.create(CorrectionTable.name(i, true), physical.get(i));
            writer.create(CorrectionTable.name(i, false), physical.get(i));
        }
        for (int i = 0; i < changed.size(); i++) {
            changed.get(i).writeDeletes(writer, CorrectionTable.name(i, true));
        }
        for (int i = 0; i < changed.size(); i++) {
            changed.get(i).writeWrites(writer, CorrectionTable.name(i, false));
            progress.accept(
                    changed.get(i).table().name() + ": " + changed.get(i).deletes() + " rows removed, "
                            + changed.get(i).writes() + " rows written");
        }
        return new Corrections(writer.gtids(), physical);
    }

    /** The shard's table, which has the columns of the logical one. */
    static TableName requirePhysical(TableDifference table) {
        return table.physical()
                .orElseThrow(
                        () -> table.refused("expected the table on the held shard, found none there, and rows of it"
                                + " on the replica: create it on the shard, empty, and run the command again"));
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.DECISION_REFUSED, message);
    }
}
