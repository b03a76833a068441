package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.definition.Column;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.verify.ChunkRange;
import io.tributary.seed.verify.RowKey;
import io.tributary.seed.verify.TableReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What differs between the rows of the held shard and those of the replica in one logical table. For one thread. */
final class TableDifference {
    private static final Pattern WIDTH = Pattern.compile("int\\(\\d+\\)");
    private static final int BATCH = 1_000;

    private final TableReader reader;
    private final String shard;
    private final RowValues values;
    private final Set<RowKey> writes = new LinkedHashSet<>();
    private final Map<RowKey, Doubt> doubts = new LinkedHashMap<>();
    private final Set<RowKey> deletes = new LinkedHashSet<>();

    /**
     * A row of the replica that the shard does not have as it is there. It is removed if it was the shard's.
     *
     * @param isOnShard whether the shard has another row of this key
     * @param others other shards that have a row of this key now
     */
    record Doubt(boolean isOnShard, Set<String> others) {}

    /** @param reader of all members; those of the shard are read from its snapshot */
    TableDifference(TableReader reader, String shard) {
        this.reader = reader;
        this.shard = shard;
        this.values = new RowValues(reader.table());
    }

    LogicalTable table() {
        return reader.table();
    }

    /** The shard's own table of that name; empty if it has none. */
    Optional<TableName> physical() {
        return own().map(TableReader.Place::name);
    }

    private Optional<TableReader.Place> own() {
        return reader.members().stream().filter(this::isOwn).findFirst();
    }

    private boolean isOwn(TableReader.Place place) {
        return place.session().peer().name().equals(shard);
    }

    /** The indexes of the columns of the row key among all columns. */
    int[] keyColumns() {
        List<String> names =
                table().definition().columns().stream().map(Column::name).toList();
        return table().key().stream()
                .mapToInt(column -> names.indexOf(column.name()))
                .toArray();
    }

    /**
     * Finds the rows that differ.
     *
     * @throws TributaryException DECISION_REFUSED if the table is defined in different ways, or has no row key and differs
     */
    void find() {
        requireEqualDefinitions();
        own().ifPresent(this::requireTransactional);
        if (table().key().isEmpty()) {
            if (!reader.compare(ChunkRange.ALL).areEqual()) {
                throw refused(
                        "expected equal rows, because it has no key by which a row can be found, found different ones");
            }
            return;
        }
        List<RowKey> unequal = UnequalRows.find(reader);
        for (int from = 0; from < unequal.size(); from += BATCH) {
            classify(unequal.subList(from, Math.min(unequal.size(), from + BATCH)));
        }
    }

    private void classify(List<RowKey> keys) {
        Map<RowKey, List<String>> here = values.of(reader.replica(), keys);
        Map<RowKey, List<String>> there = new LinkedHashMap<>();
        Map<String, Set<RowKey>> others = new LinkedHashMap<>();
        for (TableReader.Place member : reader.members()) {
            Map<RowKey, List<String>> rows = values.of(member, keys);
            if (isOwn(member)) {
                there.putAll(rows);
            } else {
                others.computeIfAbsent(member.session().peer().name(), name -> new HashSet<>())
                        .addAll(rows.keySet());
            }
        }
        for (RowKey key : keys) {
            List<String> replica = here.get(key);
            List<String> own = there.get(key);
            if (own != null && replica == null) {
                writes.add(key);
            } else if (replica != null && !replica.equals(own)) {
                Set<String> having = new HashSet<>();
                others.forEach((name, rows) -> {
                    if (rows.contains(key)) {
                        having.add(name);
                    }
                });
                doubts.put(key, new Doubt(own != null, having));
            }
        }
    }

    /** Rows of the replica of which it has to be found out whether they were the shard's. */
    Map<RowKey, Doubt> doubts() {
        return doubts;
    }

    /** The row of the replica was the shard's: it is removed, and the shard's row of this key is written. */
    void correct(RowKey key) {
        deletes.add(key);
        if (doubts.get(key).isOnShard()) {
            writes.add(key);
        }
    }

    int deletes() {
        return deletes.size();
    }

    int writes() {
        return writes.size();
    }

    boolean isEmpty() {
        return deletes.isEmpty() && writes.isEmpty();
    }

    /** Writes the replica's rows of these keys into a table, in order. */
    void writeReplicas(CorrectionWriter writer, TableName into, List<RowKey> keys) {
        write(writer, into, List.of(reader.replica()), keys);
    }

    void writeDeletes(CorrectionWriter writer, TableName into) {
        writeReplicas(writer, into, List.copyOf(deletes));
    }

    void writeWrites(CorrectionWriter writer, TableName into) {
        write(writer, into, reader.members().stream().filter(this::isOwn).toList(), List.copyOf(writes));
    }

    private void write(CorrectionWriter writer, TableName into, List<TableReader.Place> from, List<RowKey> keys) {
        String insert = values.insert(SqlNames.name(into));
        for (int first = 0; first < keys.size(); first += BATCH) {
            List<RowKey> batch = keys.subList(first, Math.min(keys.size(), first + BATCH));
            Map<RowKey, List<String>> rows = new LinkedHashMap<>();
            from.forEach(place -> rows.putAll(values.of(place, batch)));
            List<String> literals = new ArrayList<>();
            for (RowKey key : batch) {
                List<String> row = rows.get(key);
                if (row == null) {
                    throw refused("expected that the row " + key + " stays as it is during the comparison, found none");
                }
                literals.add(values.literals(row));
            }
            writer.write(insert, literals);
        }
    }

    TributaryException refused(String message) {
        return new TributaryException(ErrorCode.DECISION_REFUSED, "table " + table().name() + ": " + message);
    }

    private void requireEqualDefinitions() {
        List<String> here = columns(reader.replica());
        for (TableReader.Place member : reader.members()) {
            List<String> there = columns(member);
            if (!there.equals(here)) {
                List<String> onlyHere = new ArrayList<>(here);
                onlyHere.removeAll(there);
                List<String> onlyThere = new ArrayList<>(there);
                onlyThere.removeAll(here);
                throw refused("expected the same columns on " + member.shown() + " and on "
                        + reader.replica().shown() + ", found " + onlyThere + " and " + onlyHere
                        + (onlyThere.isEmpty() && onlyHere.isEmpty() ? " (another order)" : "")
                        + ": run the missing statements on the side that lacks them");
            }
        }
    }

    /** A snapshot has no rows of other engines: they would be read as they are later. */
    private void requireTransactional(TableReader.Place place) {
        String query =
                "SELECT t.ENGINE FROM information_schema.TABLES t JOIN information_schema.ENGINES e USING (ENGINE)"
                        + " WHERE e.TRANSACTIONS <> 'YES' AND t.TABLE_SCHEMA = "
                        + SqlNames.literal(place.name().schema()) + " AND t.TABLE_NAME = "
                        + SqlNames.literal(place.name().table());
        QueryResult engines = place.answer(place.session().send(query));
        if (!engines.isEmpty()) {
            throw refused("expected a transactional engine on " + place.shown() + ", found "
                    + engines.rows().get(0).text(0) + ": ALTER TABLE ... ENGINE = InnoDB there");
        }
    }

    /** The columns in their order; without the display widths of integers, which 8.0 does not have. */
    private static List<String> columns(TableReader.Place place) {
        String query = "SELECT LOWER(COLUMN_NAME), COLUMN_TYPE, IFNULL(COLLATION_NAME, ''), IS_NULLABLE,"
                + " IF(EXTRA LIKE '%GENERATED%' AND EXTRA NOT LIKE '%DEFAULT_GENERATED%', 'GENERATED', '')"
                + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = "
                + SqlNames.literal(place.name().schema()) + " AND TABLE_NAME = "
                + SqlNames.literal(place.name().table()) + " ORDER BY ORDINAL_POSITION";
        List<String> columns = new ArrayList<>();
        for (QueryResult.Row row : place.answer(place.session().send(query)).rows()) {
            String type = row.text(1).toLowerCase(Locale.ROOT);
            columns.add(row.text(0) + " " + WIDTH.matcher(type).replaceFirst("int") + " "
                    + row.text(2).replace("utf8mb3", "utf8") + " " + row.text(3) + " " + row.text(4));
        }
        return columns;
    }

    /** The name of the table in which the replica's doubtful rows are encoded. */
    static TableName candidates(int index) {
        return new TableName(HeartbeatTable.SCHEMA, "correction_candidate_" + index);
    }
}
