package io.tributary.seed.verify;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.row.RowText;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Reads digests and keys of one table on the replica and on all its members. All servers work on a question at the same time. */
public final class TableReader {
    /** Conditions of one statement. */
    private static final int MOST_CONDITIONS = 50;

    private final TableServers servers;
    private final LogicalTable table;
    private final List<Place> members = new ArrayList<>();
    private final Place replica;
    private final String hash;

    /**
     * A table on a server.
     *
     * @param table its name in statements
     */
    public record Place(SqlSession session, TableName name, String table, String shown) {
        static Place of(SqlSession session, TableName name, String shown) {
            return new Place(session, name, SqlNames.name(name), shown);
        }

        public CompletableFuture<QueryResult> send(String columns, String rest) {
            return session.send("SELECT " + columns + " FROM " + table + " " + rest);
        }

        /**
         * Waits for an answer.
         *
         * @throws UnreadableTableException if the table or a column does not exist there or may not be read
         */
        public QueryResult answer(CompletableFuture<QueryResult> sent) {
            try {
                return session.await(sent);
            } catch (MysqlServerError e) {
                if (e.is(
                        MysqlError.ER_NO_SUCH_TABLE,
                        MysqlError.ER_BAD_DB_ERROR,
                        MysqlError.ER_BAD_FIELD_ERROR,
                        MysqlError.ER_TABLEACCESS_DENIED_ERROR,
                        MysqlError.ER_COLUMNACCESS_DENIED_ERROR)) {
                    throw new UnreadableTableException(session.peer() + ": " + e.serverMessage(), e);
                }
                throw session.failed("the comparison of " + table, e);
            }
        }
    }

    public TableReader(TableServers servers, LogicalTable table) {
        this.servers = servers;
        this.table = table;
        this.hash = RowText.hash(table.written());
        this.replica = Place.of(
                servers.replica(), table.name(), servers.replica().peer().toString());
        for (ShardTable member : table.members()) {
            members.add(Place.of(servers.shard(member.shard()), member.physical(), member.toString()));
        }
    }

    public LogicalTable table() {
        return table;
    }

    TableServers servers() {
        return servers;
    }

    public List<Place> members() {
        return members;
    }

    public Place replica() {
        return replica;
    }

    /** The shards of the members, each once. */
    List<Peer> shards() {
        return table.members().stream().map(ShardTable::shard).distinct().toList();
    }

    /** The digests of a range on all servers. */
    public record Sides(RowDigest shards, RowDigest replica, List<Long> rowsOfMembers) {
        public boolean areEqual() {
            return shards.equals(replica);
        }

        /** The number of rows on the side that has more. */
        public long most() {
            return Math.max(shards.rows(), replica.rows());
        }
    }

    /** Compares a range. */
    public Sides compare(ChunkRange range) {
        List<String> condition = List.of(range.condition());
        var ofReplica = send(replica, condition, "");
        List<List<CompletableFuture<QueryResult>>> ofMembers =
                members.stream().map(each -> send(each, condition, "")).toList();
        RowDigest here = digests(replica, ofReplica, 1).get(0);
        RowDigest sum = RowDigest.NONE;
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            RowDigest one = digests(members.get(i), ofMembers.get(i), 1).get(0);
            rows.add(one.rows());
            sum = sum.plus(one);
        }
        return new Sides(sum, here, rows);
    }

    /**
     * The digests of the rows of all members, one for each condition.
     *
     * @param locking "", or the clause that locks the rows
     */
    List<RowDigest> onShards(List<String> conditions, String locking) {
        List<List<CompletableFuture<QueryResult>>> sent =
                members.stream().map(each -> send(each, conditions, locking)).toList();
        List<RowDigest> sums = new ArrayList<>(Collections.nCopies(conditions.size(), RowDigest.NONE));
        for (int i = 0; i < members.size(); i++) {
            List<RowDigest> one = digests(members.get(i), sent.get(i), conditions.size());
            for (int j = 0; j < one.size(); j++) {
                sums.set(j, sums.get(j).plus(one.get(j)));
            }
        }
        return sums;
    }

    /** The same of the replica's rows. */
    List<RowDigest> onReplica(List<String> conditions) {
        return digests(replica, send(replica, conditions, ""), conditions.size());
    }

    private List<CompletableFuture<QueryResult>> send(Place place, List<String> conditions, String locking) {
        List<CompletableFuture<QueryResult>> sent = new ArrayList<>();
        for (int from = 0; from < conditions.size(); from += MOST_CONDITIONS) {
            List<String> parts = new ArrayList<>();
            for (int i = from; i < Math.min(conditions.size(), from + MOST_CONDITIONS); i++) {
                parts.add("(SELECT " + i + ", COUNT(*), IFNULL(SUM(" + hash + "), 0) FROM " + place.table() + " WHERE "
                        + conditions.get(i) + locking + ")");
            }
            sent.add(place.session().send(String.join(" UNION ALL ", parts)));
        }
        return sent;
    }

    private static List<RowDigest> digests(Place place, List<CompletableFuture<QueryResult>> sent, int count) {
        List<RowDigest> digests = new ArrayList<>(Collections.nCopies(count, RowDigest.NONE));
        for (CompletableFuture<QueryResult> each : sent) {
            for (QueryResult.Row row : place.answer(each).rows()) {
                digests.set(
                        Integer.parseInt(row.text(0)),
                        new RowDigest(Long.parseLong(row.text(1)), new BigInteger(row.text(2))));
            }
        }
        return digests;
    }

    /** The key of the row after {@code rows - 1} others of a range on the replica; empty if there is none, and the range has not more rows. */
    public Optional<RowKey> bound(ChunkRange range, long rows) {
        return bound(replica, range, rows);
    }

    /** The same on the server that has most rows of the range. */
    public Optional<RowKey> bound(ChunkRange range, long rows, Sides sides) {
        Place largest = replica;
        long most = sides.replica().rows();
        for (int i = 0; i < members.size(); i++) {
            if (sides.rowsOfMembers().get(i) > most) {
                most = sides.rowsOfMembers().get(i);
                largest = members.get(i);
            }
        }
        return bound(largest, range, rows);
    }

    private Optional<RowKey> bound(Place place, ChunkRange range, long rows) {
        boolean isPrimary = table.definition()
                .rowKey()
                .filter(key -> key.kind() == TableKey.Kind.PRIMARY)
                .isPresent();
        List<String> names = table.key().stream().map(Column::name).toList();
        QueryResult found = place.answer(place.send(
                keyColumns(),
                (isPrimary && place.equals(replica) ? "FORCE INDEX (PRIMARY) " : "") + "WHERE " + range.condition()
                        + " ORDER BY " + SqlNames.names(names) + " LIMIT " + (rows - 1) + ", 1"));
        return found.isEmpty() ? Optional.empty() : Optional.of(key(found.rows().get(0)));
    }

    private String keyColumns() {
        return table.key().stream().map(RowText::value).collect(Collectors.joining(", "));
    }

    private RowKey key(QueryResult.Row row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < table.key().size(); i++) {
            values.add(row.text(i));
        }
        return new RowKey(table.key(), values);
    }

    /** The keys of a range whose rows are not equal on both sides. */
    public List<RowKey> unequalKeys(ChunkRange range) {
        String rest = "WHERE " + range.condition();
        String columns = keyColumns() + ", " + hash;
        var ofReplica = replica.send(columns, rest);
        List<CompletableFuture<QueryResult>> ofMembers =
                members.stream().map(each -> each.send(columns, rest)).toList();
        Map<List<String>, RowDigest> here = new HashMap<>();
        add(replica.answer(ofReplica), here);
        Map<List<String>, RowDigest> there = new LinkedHashMap<>();
        for (int i = 0; i < members.size(); i++) {
            add(members.get(i).answer(ofMembers.get(i)), there);
        }
        List<RowKey> unequal = new ArrayList<>();
        there.forEach((key, digest) -> {
            if (!digest.equals(here.remove(key))) {
                unequal.add(new RowKey(table.key(), key));
            }
        });
        here.keySet().forEach(key -> unequal.add(new RowKey(table.key(), key)));
        return unequal;
    }

    private void add(QueryResult rows, Map<List<String>, RowDigest> digests) {
        int parts = table.key().size();
        for (QueryResult.Row row : rows.rows()) {
            RowDigest one = new RowDigest(1, new BigInteger(row.text(parts)));
            digests.merge(key(row).values(), one, RowDigest::plus);
        }
    }
}
