package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.TableShapeStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The registry of global table ids: one id for each (logical name, physical name, table-map body), shared by all extractors of a node. It also
 * determines which tables have rows with the same columns. The number of tables is not limited: the store keeps two entries per table. Any
 * thread.
 */
public final class TableRegistry {
    /** Ids have 6 bytes; MySQL uses the highest one for "no table". */
    private static final long MAX_ID = (1L << 48) - 2;

    /** The kind of an entry of the store: part of its key. */
    private static final byte ID = 1;

    private static final byte SHAPE = 2;

    private final TableShapeStore ids;
    private final MessageDigest digest;
    private long lastId;

    /** A registry for a few tables. */
    public TableRegistry(long highestId) {
        this(highestId, TableShapeStore.onHeap());
    }

    /**
     * @param highestId the highest id of the cut from which the node continues; 0 for a new stream
     * @param ids empty; used by this registry only
     */
    public TableRegistry(long highestId, TableShapeStore ids) {
        this.lastId = highestId;
        this.ids = ids;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) { // every JDK has it
            throw new IllegalStateException(e);
        }
    }

    /**
     * The content of a table map without its names.
     *
     * @param comparable tables with the same names and an equal value have the same id, see {@link TableMapEvent#comparable}
     * @param rowShape tables with the same logical name and an equal value have the same shape, see {@link TableMapEvent#rowShape}
     * @param isNamed whether it contains the names of the columns
     */
    record Body(byte[] comparable, byte[] rowShape, boolean isNamed) {}

    /**
     * The reference to a table map; it has the same id on each call, from any extractor.
     *
     * @param view contains the event, with logical names, from {@code at} to {@code end}
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
        return new TableRef(id, shape, logical, physical, body.isNamed());
    }

    private void addToKey(byte kind, TableName name) {
        digest.update(kind);
        digest.update(name.schema().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0); // is in no name
        digest.update(name.table().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private long nextId() {
        if (lastId >= MAX_ID) {
            throw new TributaryException(
                    ErrorCode.INTERNAL,
                    "expected global table ids of at most 6 bytes, found " + (lastId + 1) + " as the next one");
        }
        return ++lastId;
    }

    /** The highest id in use, for cuts. */
    synchronized long highestId() {
        return lastId;
    }
}
