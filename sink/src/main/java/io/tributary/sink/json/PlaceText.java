package io.tributary.sink.json;

import io.tributary.changes.ChangeTransaction;
import io.tributary.sink.message.RowPlace;

/** Parts of messages that depend only on the transaction, kept for its rows. For one thread. */
public final class PlaceText {
    private final JsonOutput out = new JsonOutput();
    private ChangeTransaction last;
    private byte[] gtid = new byte[0];
    private byte[] file = new byte[0];

    private void move(ChangeTransaction to) {
        if (!to.equals(last)) {
            gtid = out.clear().string(to.gtid().toString()).toBytes();
            file = out.clear().string(to.file()).toBytes();
            last = to;
        }
    }

    /** The GTID of the place as a string of JSON; only read. */
    public byte[] gtid(RowPlace place) {
        move(place.transaction());
        return gtid;
    }

    /** The binlog file of the place as a string of JSON; only read. */
    public byte[] file(RowPlace place) {
        move(place.transaction());
        return file;
    }
}
