package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.JournalEvent;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.changes.ChangeDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Kind;
import io.tributary.common.value.JournalCodec;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.node.command.order.StoredFiles;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The definitions of tables at the place of a walk over the binlog. They are read from the journal in the files: a snapshot, and the changes after it.
 * Where the files that it needs are purged, the definitions are not known; rows can still be read if their table maps name the columns. For one thread.
 */
final class StoredDefinitions implements ChangeDefinitions {
    private final StoredFiles files;
    private final JournalMap map;
    private boolean isKnown;

    /** @param map is empty, and closed by the caller */
    StoredDefinitions(StoredFiles files, JournalMap map) {
        this.files = files;
        this.map = map;
    }

    /** Moves to an offset of a file. */
    void moveTo(BinlogFile file, long offset) throws IOException {
        List<BinlogFile> all = files.list();
        int place = all.indexOf(file);
        int start = place;
        map.clear();
        while (start >= 0 && !startsIn(all.get(start))) {
            start--;
        }
        isKnown = start >= 0;
        for (int i = start; isKnown && i <= place; i++) {
            fold(all.get(i), i == place ? offset : Long.MAX_VALUE);
        }
    }

    /** Whether its head has a whole snapshot, which is then in the map, or precedes the first change of all. */
    private boolean startsIn(BinlogFile file) throws IOException {
        try (FileChannel channel = files.open(file)) {
            EventScan events = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, file.end());
            while (events.next()) {
                if (events.isCut()) {
                    boolean isFirst = CutCodec.decodeFull(events.cut()).schemaNumber() == 0;
                    return isFirst || loads(events);
                }
            }
            return false;
        }
    }

    private boolean loads(EventScan events) throws IOException {
        while (events.next() && isChange(events)) {
            Journal record = record(events);
            if (record.kind() == Kind.CHANGE) {
                break;
            }
            map.fold(record);
            if (record.kind() == Kind.SNAPSHOT_END) {
                return true;
            }
        }
        map.clear();
        return false;
    }

    private void fold(BinlogFile file, long limit) throws IOException {
        try (FileChannel channel = files.open(file)) {
            for (SparseEntry change : files.changes(file)) {
                files.requireRunning();
                EventScan events = new EventScan(ReadableBytes.of(channel), change.offset(), file.end());
                if (change.offset() < limit && events.next() && isChange(events)) {
                    change(events);
                }
            }
        }
    }

    /** Whether an event is a record of the journal. */
    static boolean isChange(EventScan events) {
        return JournalEvent.isJournal(events.view(), events.viewAt(), events.viewEnd());
    }

    private static Journal record(EventScan events) {
        return JournalCodec.decode(JournalEvent.record(events.view(), events.viewAt(), events.viewEnd()));
    }

    /** Applies a record that the walk has reached. */
    void change(EventScan events) {
        Journal record = record(events);
        if (record.kind() == Kind.CHANGE && record.number() == map.number() + 1) {
            map.fold(record);
        } else if (record.kind() == Kind.CHANGE && record.number() > map.number()) {
            isKnown = false; // the index lacked one
        }
    }

    @Override
    public Optional<TableDefinition> after(Gtid transaction, TableName table) {
        byte[] text = isKnown ? map.get("d\0" + table.schema() + '\0' + table.table() + '\0') : null;
        return text == null || text.length == 0
                ? Optional.empty()
                : DefinitionReader.create(
                        new String(text, StandardCharsets.UTF_8),
                        ReadSession.standard(table.schema()),
                        other -> Optional.empty());
    }
}
