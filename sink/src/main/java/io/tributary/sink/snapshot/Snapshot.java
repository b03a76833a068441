package io.tributary.sink.snapshot;

import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.sink.CopyPlace;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.encode.SlotFiller;
import java.util.Optional;

/**
 * The rows that the tables have at a place of the stream, which are sent before the transactions after it.
 *
 * @param client for sessions on both servers
 * @param node from which the stream is read
 * @param server that has the rows
 * @param sid of the stream
 * @param selection whose rows are sent, and which of their values are masked
 */
public record Snapshot(MysqlClient client, Peer node, Peer server, Sid sid, SinkPlan.Selection selection) {
    /**
     * A copy that an earlier run has begun.
     *
     * @param transaction the place of the snapshot
     * @param place how far it came
     */
    public record Unfinished(ChangeTransaction transaction, CopyPlace place) {}

    /**
     * Sends all rows that are not sent yet.
     *
     * @return the transaction after which the stream begins; committedMicros is the time when the copy began
     * @throws io.tributary.common.error.TributaryException SINK_SNAPSHOT_UNREACHABLE; SINK_SNAPSHOT_UNFIT; NODE_UNREACHABLE, READER_REFUSED
     */
    public ChangeTransaction send(
            SlotFiller filler, ServerDefinitions ofStream, Optional<Unfinished> unfinished, Clock clock) {
        try (SnapshotServer from = SnapshotServer.open(client, server)) {
            Gtid place = from.place(sid);
            ChangeTransaction transaction =
                    unfinished.map(Unfinished::transaction).orElseGet(() -> begin(place, clock));
            if (!transaction.gtid().equals(place)) {
                throw from.changed(transaction.gtid(), "it at " + place);
            }
            requireJoined(from, place);
            new SnapshotCopy(filler, selection, from, transaction, unfinished.map(Unfinished::place)).run(ofStream);
            return transaction;
        }
    }

    private static ChangeTransaction begin(Gtid place, Clock clock) {
        return new ChangeTransaction(place, clock.epochMicros(), "", 0);
    }

    /** The node must have the transaction of the place, and all after it. */
    private void requireJoined(SnapshotServer from, Gtid place) {
        GtidSet executed;
        GtidSet purged;
        try (SqlSession session = SqlSession.open(client, node)) {
            executed = gtids(session, "SELECT @@GLOBAL.gtid_executed");
            purged = gtids(session, "SELECT @@GLOBAL.gtid_purged");
        }
        if (!executed.contains(place)) {
            throw from.unfit(
                    "a place that the stream of " + node.name() + " has (" + executed.line() + ")",
                    place.toString(),
                    "use a server that was made from this stream, or wait for the node");
        }
        if (purged.sids().contains(sid) && purged.last(sid) > place.gno()) {
            throw from.unfit(
                    "a place after which " + node.name() + " has purged nothing (gtid_purged " + purged.line() + ")",
                    place.toString(),
                    "START REPLICA, let the server catch up, then STOP REPLICA SQL_THREAD; or seed it again");
        }
    }

    private static GtidSet gtids(SqlSession session, String query) {
        return GtidSet.parse(session.value(query).replace("\n", ""));
    }
}
