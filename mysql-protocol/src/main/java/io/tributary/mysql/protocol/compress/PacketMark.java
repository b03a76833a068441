package io.tributary.mysql.protocol.compress;

/** What is written between packets and is not sent. */
public enum PacketMark {
    /** The client acknowledges the event before this mark: the next compressed packet has the id 1. */
    ACKNOWLEDGED
}
