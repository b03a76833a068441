package io.tributary.apply.row;

/** Rows as BINLOG statements with their events: nothing is decoded, and values keep their exact form. */
public final class EventRows implements RowForm {
    @Override
    public void add(StatementPacket packet, byte[] events) {
        packet.addEvents(events);
    }
}
