package io.tributary.extractor.stream;

import io.netty.util.collection.LongObjectHashMap;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.extractor.CorrectionTable;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.SourceTable;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.TableRegistry;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The tables of one shard by their table ids, which are valid in one of its binlog files. It also keeps the last result, so that a known table
 * map costs a comparison and no new object. Tables that were not used recently are removed, whatever their number: a shard maps a table again
 * in each statement, and the registry keeps its global id.
 */
public final class SourceTables {
    /** Limits of the heap, bytes: of all shards together, and the smallest limit of one shard. */
    private static final long HEAP_OF_ALL = 48L << 20;

    private static final long LEAST_HEAP = 256L << 10;

    private final TableRegistry registry;
    private final Names names;
    private final long serverId;
    private final long mostBytes;
    private LongObjectHashMap<SourceTable> recent = new LongObjectHashMap<>();
    private LongObjectHashMap<SourceTable> older = new LongObjectHashMap<>();
    private long recentBytes;
    private long olderBytes;
    private SourceTable last;
    private Corrections corrections = Corrections.NONE;

    /**
     * The rules for a table, by its physical name.
     *
     * @param filter schemas whose rows are left out
     * @param hidden tables whose rows are left out: those of online schema change tools
     * @param marker the table whose rows carry TSOs; null for none
     */
    public record Names(TableMapping mapping, SchemaFilter filter, Predicate<String> hidden, TableName marker) {
        boolean leavesOut(TableName physical) {
            return filter.leavesOut(physical.schema()) || hidden.test(physical.table());
        }
    }

    /** @param shards the number of shards that share the heap limit */
    public SourceTables(TableRegistry registry, Names names, long serverId, int shards) {
        this.registry = registry;
        this.names = names;
        this.serverId = serverId;
        this.mostBytes = Math.max(LEAST_HEAP, HEAP_OF_ALL / Math.max(1, shards));
    }

    /** Whether commit timestamps are needed: only tso order has a marker table. */
    boolean hasMarker() {
        return names.marker() != null;
    }

    /** Whether a table map belongs to the table whose rows carry TSOs. */
    boolean isMarker(ByteBuffer view, int at) {
        return new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at)).equals(names.marker());
    }

    /** Begins a stream with corrections, or with {@link Corrections#NONE}. */
    void correct(Corrections with) {
        corrections = with;
    }

    /** Removes all tables: another file begins, in which the ids are not valid. */
    void forget() {
        recent = new LongObjectHashMap<>();
        older = new LongObjectHashMap<>();
        recentBytes = 0;
        olderBytes = 0;
        last = null;
    }

    /** Ends a statement. Its table maps are not valid any more, so tables that were not used recently may be removed. */
    void statementEnds() {
        if (recentBytes > mostBytes / 2) {
            older = recent;
            olderBytes = recentBytes;
            recent = new LongObjectHashMap<>();
            recentBytes = 0;
            last = null;
        }
    }

    /** Approximate size of the tables on the heap, bytes. */
    public long heapBytes() {
        return recentBytes + olderBytes;
    }

    /** The table of an id; null if no table map of this file has named it. */
    SourceTable find(long sourceId) {
        if (last != null && last.sourceId() == sourceId) {
            return last;
        }
        SourceTable found = recent.get(sourceId);
        if (found == null) {
            found = older.get(sourceId);
            if (found != null) {
                use(found);
            }
        }
        if (found != null) {
            last = found;
        }
        return found;
    }

    /** The table of a table map event; added if it is not known. */
    SourceTable map(ByteBuffer view, int at, int end) {
        int body = at + EventHeader.LENGTH;
        long id = TableMapEvent.tableId(view, at);
        SourceTable known = find(id);
        if (known != null && known.matches(view, body, end)) {
            return known;
        }
        TableMapEvent.check(view, at, end);
        SourceTable table = create(id, view, at, end);
        use(table);
        last = table;
        return table;
    }

    private void use(SourceTable table) {
        SourceTable before = recent.put(table.sourceId(), table);
        recentBytes += table.heapBytes() - (before == null ? 0 : before.heapBytes());
    }

    private SourceTable create(long id, ByteBuffer view, int at, int end) {
        byte[] source = new byte[end - at - EventHeader.LENGTH];
        view.get(at + EventHeader.LENGTH, source);
        TableName named = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        Optional<CorrectionTable> correction = CorrectionTable.find(corrections, named);
        TableName physical = correction.map(CorrectionTable::corrected).orElse(named);
        if (physical.equals(names.marker())) {
            return SourceTable.marker(id, source, MarkerRow.imageLength(view, at));
        }
        if (names.leavesOut(physical)) {
            boolean isHeartbeat = physical.schema().equals(HeartbeatTable.SCHEMA)
                    && physical.table().equals(HeartbeatTable.TABLE);
            if (isHeartbeat) {
                HeartbeatRow.checkTable(view, at);
            }
            return SourceTable.leftOut(id, source, isHeartbeat);
        }
        refuseCompressed(physical, view, at);
        TableName logical = names.mapping().apply(physical);
        byte[] schema = logical.schema().getBytes(StandardCharsets.UTF_8);
        byte[] table = logical.table().getBytes(StandardCharsets.UTF_8);
        ByteBuffer rendered = TableMapEvent.renamed(view, at, end, schema, table);
        TableRef ref = registry.table(rendered, 0, rendered.capacity(), physical);
        TableMapEvent.setTableId(rendered, 0, ref.id());
        EventHeader.setServerId(rendered, 0, serverId);
        EventHeader.setLogPos(rendered, 0, 0);
        return correction.map(CorrectionTable::deletes).orElse(false)
                ? SourceTable.deleted(id, source, ref, rendered)
                : SourceTable.kept(id, source, ref, rendered);
    }

    /** Refuses compressed columns, which no reader of MySQL's format can read. */
    private static void refuseCompressed(TableName table, ByteBuffer view, int at) {
        for (int i = 0; i < TableMapEvent.columnCount(view, at); i++) {
            if (ColumnType.isCompressed(LittleEndian.getU8(view, TableMapEvent.typesAt(view, at) + i))) {
                throw new TributaryException(
                        ErrorCode.SHARD_UNFIT,
                        "expected columns that MySQL supports, found column " + (i + 1) + " of " + table
                                + " with MariaDB's attribute COMPRESSED: ALTER TABLE ... MODIFY it without the"
                                + " attribute, and begin after that statement");
            }
        }
    }
}
