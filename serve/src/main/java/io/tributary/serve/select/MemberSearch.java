package io.tributary.serve.select;

import io.netty.channel.EventLoop;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the members of a table on all shards of the binlog, once each shard shows what is in the binlog. On one event loop. */
final class MemberSearch {
    private static final int POLL_MILLIS = 20;

    private final TableSelect select;
    private final SelectShards shards;
    private final EventLoop loop;
    private final List<SelectConnection> readers = new ArrayList<>();
    private final List<MemberTable> members = new ArrayList<>();
    private KeyWeights weights = KeyWeights.NONE;

    MemberSearch(TableSelect select, SelectShards shards, EventLoop loop) {
        this.select = select;
        this.shards = shards;
        this.loop = loop;
    }

    /** The connections to all shards; the caller ends them. */
    List<SelectConnection> readers() {
        return readers;
    }

    List<MemberTable> members() {
        return members;
    }

    /** How texts of several members are compared. */
    KeyWeights weights() {
        return weights;
    }

    CompletableFuture<Void> forEachShard(Function<SelectConnection, CompletableFuture<?>> work) {
        return CompletableFuture.allOf(readers.stream().map(work).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Connects to the shards of the binlog, and completes when the members are known; fails with {@link SqlRefusal} or the error of a shard.
     *
     * @param newest the newest cut that is visible to readers
     */
    CompletableFuture<Void> begin(Optional<Cut> newest, SelectSettings settings) {
        Cut cut = newest.orElseThrow(
                () -> SqlRefusal.unsupported("SELECT on tables: expected a binlog that may be read, found none"));
        Map<String, Endpoint> endpoints = shards.endpoints().get();
        Map<String, GtidSet> frontiers = new HashMap<>();
        for (Cut.ShardCut shard : cut.shards()) {
            frontiers.put(shard.name(), shard.frontier());
            Endpoint endpoint = endpoints.get(shard.name());
            if (endpoint == null) {
                throw SqlRefusal.unsupported(
                        "SELECT on tables: expected the shard.* keys of all shards of the binlog in"
                                + " the configuration of this node, found none of shard " + shard.name());
            }
            readers.add(new SelectConnection(shard.name(), endpoint, shards, loop));
        }
        return forEachShard(reader -> reader.open(settings))
                .thenCompose(opened -> forEachShard(reader -> awaitExecuted(reader, frontiers.get(reader.name()))))
                .thenCompose(executed -> forEachShard(this::findMembers))
                .thenCompose(found -> compareMembers());
    }

    private CompletableFuture<Void> findMembers(SelectConnection reader) {
        return reader.members(select.table(), shards)
                .thenAccept(found -> found.forEach(physical -> members.add(new MemberTable(reader, physical))));
    }

    /** Waits until a shard's statements see these transactions. A shard may send a transaction to a dump before it is visible. */
    private CompletableFuture<Void> awaitExecuted(SelectConnection reader, GtidSet wanted) {
        return reader.executed().thenCompose(executed -> {
            CompletableFuture<Void> reached = new CompletableFuture<>();
            if (executed.containsAll(wanted)) {
                reached.complete(null);
                return reached;
            }
            var unused = loop.schedule(() -> reached.complete(null), POLL_MILLIS, TimeUnit.MILLISECONDS);
            return reached.thenCompose(again -> awaitExecuted(reader, wanted));
        });
    }

    /** Compares the columns of several members, and finds the collations of the texts by which they are compared. */
    private CompletableFuture<Void> compareMembers() {
        if (members.isEmpty()) {
            throw new SqlRefusal(MysqlError.ER_NO_SUCH_TABLE, "Table '" + select.table() + "' doesn't exist");
        }
        if (members.size() == 1) {
            return CompletableFuture.completedFuture(null);
        }
        MemberColumns columns = new MemberColumns();
        return forEachShard(reader -> {
                    List<TableName> own = members.stream()
                            .filter(member -> member.shard() == reader)
                            .map(MemberTable::physical)
                            .toList();
                    Set<TableName> names = own.stream().collect(Collectors.toUnmodifiableSet());
                    return reader.columns(own, select.columns(), row -> columns.add(reader, names, row));
                })
                .thenRun(() -> {
                    columns.check(members);
                    weights = KeyWeights.of(select.inner(), columns.weightForms(KeyWeights.keys(select)));
                });
    }
}
