package io.tributary.seed.reseed;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import io.tributary.extractor.check.TableNames;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.ExecutedGtids;
import io.tributary.seed.verify.RowKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds out which rows of the replica were rows of the held shard at the end of the stream. A row was another shard's if the first change of the other shard
 * after the end of the stream changed or removed it, or if the other shard has it and has not changed it since.
 */
final class RowOwners {
    private final ReseedServers servers;
    private final TableNames names;
    private final Cut cut;
    private final long serverId;

    /** @param serverId of the replica as which binlogs are read */
    RowOwners(ReseedServers servers, TableNames names, Cut cut, long serverId) {
        this.servers = servers;
        this.names = names;
        this.cut = cut;
        this.serverId = serverId;
    }

    /** Decides all doubts of the tables. */
    void decide(List<TableDifference> tables, CorrectionWriter encoder) {
        List<FirstChanges.Row> rows = encoded(tables, encoder);
        if (rows.isEmpty()) {
            return;
        }
        Map<String, FirstChanges> others = new LinkedHashMap<>();
        for (Peer other : servers.others()) {
            others.put(other.name(), scan(other, new HashSet<>(rows), tables));
        }
        int next = 0;
        for (TableDifference table : tables) {
            for (Map.Entry<RowKey, TableDifference.Doubt> doubt : table.doubts().entrySet()) {
                decide(table, doubt.getKey(), rows.get(next++), others);
            }
        }
    }

    private static void decide(
            TableDifference table, RowKey key, FirstChanges.Row row, Map<String, FirstChanges> others) {
        TableDifference.Doubt doubt = table.doubts().get(key);
        List<String> owners = others.entrySet().stream()
                .filter(other ->
                        other.getValue().hadRow(row).orElse(doubt.others().contains(other.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        if (owners.isEmpty()) {
            table.correct(key);
        } else if (doubt.isOnShard()) {
            throw table.refused("expected that no row moves to the held shard while its changes are lost, found " + key
                    + ", which was on shard " + owners + " at the end of the stream: set up a new stream");
        }
    }

    /** The bytes of the keys of all doubtful rows, as the shard encodes them in row images, in the order of the tables and their doubts. */
    private List<FirstChanges.Row> encoded(List<TableDifference> tables, CorrectionWriter encoder) {
        Map<TableName, int[]> keys = new HashMap<>();
        Map<TableName, TableName> logical = new HashMap<>();
        for (int i = 0; i < tables.size(); i++) {
            TableDifference table = tables.get(i);
            if (table.doubts().isEmpty()) {
                continue;
            }
            TableName candidates = TableDifference.candidates(i);
            encoder.create(candidates, Reseed.requirePhysical(table));
            keys.put(candidates, table.keyColumns());
            logical.put(candidates, table.table().name());
            table.writeReplicas(encoder, candidates, List.copyOf(table.doubts().keySet()));
        }
        List<FirstChanges.Row> rows = new ArrayList<>();
        if (keys.isEmpty()) {
            return rows;
        }
        BinlogScan.Listener listener = new BinlogScan.Listener() {
            @Override
            public void row(TableName physical, ByteBuffer key, boolean wasThere) {
                rows.add(new FirstChanges.Row(logical.get(physical), key));
            }

            @Override
            public void ended(Gtid gtid, BinlogScan.End end, Xid xid, String text) {}
        };
        GtidSet executed = encoder.executed();
        try (SqlSession session = SqlSession.open(servers.client(), servers.shard());
                BinlogScan scan = new BinlogScan(keys::get, listener)) {
            scan.run(session, executed.minus(encoder.gtids()), executed, serverId);
        }
        return rows;
    }

    private FirstChanges scan(Peer other, Set<FirstChanges.Row> wanted, List<TableDifference> tables) {
        Map<TableName, int[]> keys = new HashMap<>();
        tables.stream()
                .filter(table -> !table.doubts().isEmpty())
                .forEach(table -> keys.put(table.table().name(), table.keyColumns()));
        int index = index(other.name());
        Cut.ShardCut from = cut.shards().get(index);
        FirstChanges.Point point = new FirstChanges.Point(other.name(), from.frontier(), openOf(cut, index));
        FirstChanges changes =
                new FirstChanges(point, physical -> names.logical(physical).orElseThrow(), wanted);
        try (SqlSession session = SqlSession.open(servers.client(), other);
                BinlogScan scan = new BinlogScan(
                        physical -> names.logical(physical).map(keys::get).orElse(null), changes)) {
            GtidSet upTo = new ExecutedGtids(session, Clock.SYSTEM).settled();
            scan.run(session, from.resume(), upTo, serverId);
        }
        return changes;
    }

    private int index(String shard) {
        return cut.shards().stream().map(Cut.ShardCut::name).toList().indexOf(shard);
    }

    /** The emitted branches of a shard whose COMMIT is not processed. */
    static Set<Xid> openOf(Cut cut, int shard) {
        return cut.open().stream()
                .filter(branch -> branch.shard() == shard)
                .map(Cut.OpenBranch::xid)
                .collect(Collectors.toSet());
    }
}
