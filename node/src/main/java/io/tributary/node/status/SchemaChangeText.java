package io.tributary.node.status;

import io.tributary.collector.schema.SchemaItem;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The schema changes in progress, in short for the status of a node. */
final class SchemaChangeText {
    private static final int MOST_SHOWN = 5;
    private static final int MOST_TEXT = 80;

    private final List<SchemaItem> items;

    SchemaChangeText(List<SchemaItem> items) {
        this.items = List.copyOf(items);
    }

    /**
     * Adds {@code ddl.pending}, the statements that some members lack, and {@code ddl.held}, the shards that wait for an operator. Each is absent
     * if there are none.
     */
    void addTo(Map<String, String> facts) {
        List<SchemaItem> held = items.stream()
                .filter(item -> item.state() == SchemaItem.State.HELD)
                .toList();
        List<SchemaItem> pending = items.stream()
                .filter(item -> item.state() != SchemaItem.State.HELD)
                .toList();
        if (!pending.isEmpty()) {
            facts.put(
                    "ddl.pending",
                    shortened(pending.stream().map(SchemaChangeText::pending).toList()));
        }
        if (!held.isEmpty()) {
            facts.put("ddl.held", held.stream().map(SchemaChangeText::held).collect(Collectors.joining("; ")));
        }
    }

    private static String shortened(List<String> all) {
        String first = all.stream().limit(MOST_SHOWN).collect(Collectors.joining("; "));
        return all.size() <= MOST_SHOWN
                ? first
                : first + "; and " + (all.size() - MOST_SHOWN) + " more: tributary ddl list";
    }

    private static String pending(SchemaItem item) {
        String waits = item.state() == SchemaItem.State.WAITING ? ", shard " + item.shard() + " waits at it" : "";
        String text =
                item.text().length() <= MOST_TEXT ? item.text() : item.text().substring(0, MOST_TEXT) + "...";
        return item.id() + " " + text.replace('\n', ' ') + ", not logged by "
                + item.lacks().stream().limit(MOST_SHOWN).collect(Collectors.joining(", "))
                + (item.lacks().size() > MOST_SHOWN ? " and others" : "") + " for " + item.seconds() + " s" + waits;
    }

    private static String held(SchemaItem item) {
        return item.shard() + ": " + item.code() + " at " + item.file() + ":" + item.offset() + " for " + item.seconds()
                + " s, to end it: " + String.join(" or ", item.commands());
    }
}
