package io.tributary.testkit.check;

import io.tributary.common.gtid.Gtid;
import java.util.List;

/**
 * One transaction: the events of one GTID.
 *
 * @param gtid null for an anonymous one
 * @param file name of its file
 * @param start offset of its GTID event
 * @param end offset after its last event
 * @param xid of the XA kinds, as X'gtrid',X'bqual',formatID with lower-case digits; else ""
 * @param queries the texts of its QUERY events except BEGIN and the XA statements: DDL, savepoints, other statements
 * @param changes its rows in order
 * @param hash hash of its events' bytes without checksums
 */
public record BinlogTransaction(
        Gtid gtid,
        String file,
        long start,
        long end,
        long lastCommitted,
        long sequenceNumber,
        TransactionKind kind,
        String xid,
        List<String> queries,
        List<RowChange> changes,
        long hash) {

    /** File, offset and GTID, for messages. */
    public String place() {
        return file + ":" + start + " (" + gtid + ")";
    }

    /** A hash of all its changes that does not depend on their order. */
    long changesHash() {
        return changes.stream().mapToLong(RowChange::hash).sum();
    }
}
