package io.tributary.faults.site;

/** What a node of a site does; a standalone node is the Dumper of its site. */
public enum Role {
    RELAY,
    TASK,
    DUMPER
}
