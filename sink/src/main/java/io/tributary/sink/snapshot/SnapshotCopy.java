package io.tributary.sink.snapshot;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.SelectedRows;
import io.tributary.changes.SelectedTable;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.sink.CopyPlace;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.encode.SlotFiller;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the rows of a snapshot in parts, each of which ends with the place of the copy, so that it can be resumed after each of them. The rows of a table
 * with a key are in its order; those of another one in that of the server, and a digest shows that it is the same again. So it does for a table whose key
 * is masked, because the place would show the key. For one thread.
 */
public final class SnapshotCopy {
    /** Of tables. */
    static final Comparator<TableName> ORDER =
            Comparator.comparing(TableName::schema).thenComparing(TableName::table);

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCopy.class);
    private static final int EVENT_BYTES = 32 << 10;
    private static final int PART_ROWS = 2000;
    private static final int PART_BYTES = 1 << 20;

    private final SlotFiller filler;
    private final SinkPlan.Selection selection;
    private final SnapshotServer server;
    private final ChangeTransaction transaction;
    private final CopyPlace start; // null for none
    private final CRC32 digest = new CRC32();
    private long versions;

    // ---- of the part that is read

    private SelectedTable table;
    private SelectedRows event;
    private boolean hasKey; // that may be stored with the place
    private int partRows;
    private long partBytes;
    private long tableRows;
    private long rows;
    private CopyPlace ended; // of a part whose end is not sent yet, null for none

    /**
     * Prepares a copy.
     *
     * @param transaction the last one that the server has
     * @param start how far an earlier run came; empty: all rows are sent
     */
    SnapshotCopy(
            SlotFiller filler,
            SinkPlan.Selection selection,
            SnapshotServer server,
            ChangeTransaction transaction,
            Optional<CopyPlace> start) {
        this.filler = filler;
        this.selection = selection;
        this.server = server;
        this.transaction = transaction;
        this.start = start.orElse(null);
        this.rows = start.map(CopyPlace::rows).orElse(0L);
    }

    /** Sends all rows that are not sent, and the end. */
    void run(ServerDefinitions ofStream) {
        Gtid place = transaction.gtid();
        List<TableName> tables = server.tables(selection.tables());
        SnapshotTables expected = new SnapshotTables(server, place, ofStream, ofStream.tables(place));
        expected.requireAll(tables, selection.tables());
        List<TableDefinition> definitions = new ArrayList<>();
        for (TableName name : tables) { // before any row is sent
            TableDefinition definition = server.definition(name, place);
            expected.requireSame(definition);
            definitions.add(definition);
        }
        server.begin();
        LOG.info("rows of the snapshot: place={} tables={} sent={}", place, tables.size(), rows);
        for (TableDefinition definition : definitions) {
            int order = start == null ? 1 : ORDER.compare(definition.name(), start.table());
            if (order >= 0) {
                copy(definition, order == 0);
            }
        }
        if (ended == null) {
            filler.beginPart(transaction, rows);
        }
        filler.endSnapshot();
        LOG.info("all rows of the snapshot were read: place={} rows={}", place, rows);
    }

    private void copy(TableDefinition definition, boolean isResumed) {
        LOG.info("table of the snapshot: table={} rows={}", definition.name(), rows);
        table = selected(definition);
        event = new SelectedRows(table);
        digest.reset();
        tableRows = 0;
        hasKey = table.hasKey() && !selection.masks().isKeyMasked(table.table());
        long skipped = isResumed && !hasKey ? start.tableRows() : 0;
        List<String> after = isResumed && hasKey ? start.key() : List.of();
        if (isResumed && hasKey) {
            tableRows = start.tableRows();
        }
        try (SnapshotRows all = server.select(table.select(after))) {
            for (ByteBuf row = all.next(); row != null; row = all.next()) {
                if (!hasKey) {
                    digest.update(row.nioBuffer());
                }
                if (tableRows < skipped) {
                    tableRows++;
                    requireSame(skipped);
                } else {
                    add(row);
                }
            }
        }
        if (tableRows < skipped) {
            throw otherRows(tableRows + " rows");
        }
        endPart();
    }

    private SelectedTable selected(TableDefinition definition) {
        try {
            return new SelectedTable(definition, --versions);
        } catch (IllegalArgumentException e) {
            throw server.unfit(
                    "table " + definition.name() + " with types of MySQL",
                    e.getMessage(),
                    "leave the table out with sink.tables");
        }
    }

    /** After the last row that an earlier run has sent. */
    private void requireSame(long skipped) {
        if (tableRows == skipped && digest.getValue() != start.digest()) {
            throw otherRows("other rows, or another order");
        }
    }

    private RuntimeException otherRows(String found) {
        return server.changed(
                transaction.gtid(),
                "table " + start.table() + ", which has no key, with " + found + " instead of the first "
                        + start.tableRows() + " rows that were sent");
    }

    private void add(ByteBuf row) {
        if (partRows == 0) {
            begin();
        }
        int length = row.readableBytes();
        event.add(row);
        tableRows++;
        partRows++;
        partBytes += length;
        if (event.end() >= EVENT_BYTES) {
            send();
        }
        if (partRows >= PART_ROWS || partBytes >= PART_BYTES) {
            endPart();
        }
    }

    /** The end of a part is sent when there is another row, so that the last part is known. */
    private void begin() {
        if (ended != null) {
            filler.endPart(ended);
            ended = null;
        }
        filler.beginPart(transaction, rows);
    }

    private void send() {
        if (event.rows() > 0) {
            rows += event.rows();
            filler.rows(table.table(), event.view(), 0, event.end());
            event.clear();
        }
    }

    private void endPart() {
        send();
        if (partRows > 0) {
            server.requireUnchanged();
            List<String> key = hasKey ? event.lastKey() : List.of();
            ended = new CopyPlace(table.table().name(), key, tableRows, hasKey ? 0 : digest.getValue(), rows);
            partRows = 0;
            partBytes = 0;
        }
    }
}
