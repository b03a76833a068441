package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.Catalogue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Gives out global table ids: one for each (logical schema, logical table, table-map body), shared by all extractors of a node. Any
 * number of tables, as the catalogue keeps them. Any thread.
 */
public final class TableRegistry {
    /** Ids are 6 bytes; the highest one is MySQL's mark for "no table". */
    private static final long MAX_ID = (1L << 48) - 2;

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
     * The reference to the shape of a table map event, with the same id whenever it is asked for, here or of another reader.
     *
     * @param view has the event, with logical names, from {@code at} to {@code end}
     */
    public TableRef table(ByteBuffer view, int at, int end) {
        return table(
                TableMapEvent.schema(view, at), TableMapEvent.table(view, at), TableMapEvent.comparable(view, at, end));
    }

    /** @param body what is compared */
    synchronized TableRef table(String schema, String table, byte[] body) {
        byte[] shape = shape(schema, table, body);
        long id = ids.find(shape);
        if (id == 0) {
            id = nextId();
            ids.put(shape, id);
        }
        return new TableRef(id, schema, table);
    }

    private byte[] shape(String schema, String table, byte[] body) {
        digest.update(schema.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0); // stands in no name
        digest.update(table.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return digest.digest(body);
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
