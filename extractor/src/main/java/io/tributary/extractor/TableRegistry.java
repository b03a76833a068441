package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableRef;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives out global table ids: one {@link TableRef} for each (logical schema, logical table, table-map body), shared by all
 * extractors of a node. Any thread.
 */
public final class TableRegistry {
    /** Ids are 6 bytes; the highest one is MySQL's mark for "no table". */
    private static final long MAX_ID = (1L << 48) - 2;

    private final ConcurrentMap<Shape, TableRef> shapes = new ConcurrentHashMap<>();
    private final AtomicLong lastId;

    private record Shape(String schema, String table, byte[] body, int hash) {
        Shape(String schema, String table, byte[] body) {
            this(schema, table, body, (schema.hashCode() * 31 + table.hashCode()) * 31 + Arrays.hashCode(body));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Shape shape
                    && hash == shape.hash
                    && schema.equals(shape.schema)
                    && table.equals(shape.table)
                    && Arrays.equals(body, shape.body);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** @param highestId the highest id of the cut from which the node goes on; 0 for a new stream */
    public TableRegistry(long highestId) {
        this.lastId = new AtomicLong(highestId);
    }

    /**
     * The one reference to this shape.
     *
     * @param body the table map behind its table id, with logical names; taken over
     */
    public TableRef table(String schema, String table, byte[] body) {
        return shapes.computeIfAbsent(
                new Shape(schema, table, body), shape -> new TableRef(nextId(), shape.schema(), shape.table()));
    }

    private long nextId() {
        long id = lastId.incrementAndGet();
        if (id > MAX_ID) {
            throw new TributaryException(
                    ErrorCode.INTERNAL, "expected global table ids of at most 6 bytes, the next one is " + id);
        }
        return id;
    }

    /** The highest id given out, for cuts. */
    public long highestId() {
        return lastId.get();
    }
}
