package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.Catalogue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Gives out global table ids: one for each (logical name, physical name, table-map body), shared by all extractors of a node; and says
 * which of them have rows with the same columns. Any number of tables, as the catalogue keeps them: two entries each. Any thread.
 */
public final class TableRegistry {
    /** Ids are 6 bytes; the highest one is MySQL's mark for "no table". */
    private static final long MAX_ID = (1L << 48) - 2;

    /** What a catalogue's entry is: part of its key. */
    private static final byte ID = 1;

    private static final byte SHAPE = 2;

    private final Catalogue ids;
    private final MessageDigest digest;
    private long lastId;

    /** For a few tables. */
    public TableRegistry(long highestId) {
        this(highestId, Catalogue.onHeap());
    }

    /**
     * @param highestId the highest id of the cut from which the node goes on; 0 for a new stream
     * @param ids empty; nobody else uses it
     */
    public TableRegistry(long highestId, Catalogue ids) {
        this.lastId = highestId;
        this.ids = ids;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) { // every JDK has it
            throw new IllegalStateException(e);
        }
    }

    /**
     * What a table map says beside its names.
     *
     * @param comparable for which tables of the same names have the same id, see {@link TableMapEvent#comparable}
     * @param rowShape for which tables of the same logical name have the same shape, see {@link TableMapEvent#rowShape}
     * @param isNamed whether it names the columns
     */
    record Body(byte[] comparable, byte[] rowShape, boolean isNamed) {}

    /**
     * The reference to a table map, with the same id whenever it is asked for, here or of another reader.
     *
     * @param view has the event, with logical names, from {@code at} to {@code end}
     * @param physical the table's name on its shard
     */
    public TableRef table(ByteBuffer view, int at, int end, TableName physical) {
        TableName logical = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        Body body = new Body(
                TableMapEvent.comparable(view, at, end),
                TableMapEvent.rowShape(view, at, end),
                TableMapEvent.namesColumns(view, at, end));
        return table(logical, physical, body);
    }

    synchronized TableRef table(TableName logical, TableName physical, Body body) {
        addToKey(ID, logical);
        addToKey(ID, physical);
        byte[] idKey = digest.digest(body.comparable());
        addToKey(SHAPE, logical);
        byte[] shapeKey = digest.digest(body.rowShape());
        long id = ids.find(idKey);
        if (id == 0) {
            id = nextId();
            ids.put(idKey, id);
        }
        long shape = ids.find(shapeKey);
        if (shape == 0) {
            shape = id;
            ids.put(shapeKey, shape);
        }
        return new TableRef(id, shape, logical.schema(), logical.table(), physical, body.isNamed());
    }

    private void addToKey(byte kind, TableName name) {
        digest.update(kind);
        digest.update(name.schema().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0); // stands in no name
        digest.update(name.table().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private long nextId() {
        if (lastId >= MAX_ID) {
            throw new TributaryException(
                    ErrorCode.INTERNAL,
                    "expected global table ids of at most 6 bytes, the next one is " + (lastId + 1));
        }
        return ++lastId;
    }

    /** The highest id given out, for cuts. */
    public synchronized long highestId() {
        return lastId;
    }
}
