package io.tributary.node.admin;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.node.text.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of schema changes in progress, as JSON for programs and as text for people. */
public final class DdlPage {
    private final List<SchemaItem> items;

    public DdlPage(List<SchemaItem> items) {
        this.items = List.copyOf(items);
    }

    /** All statements and questions, as JSON. */
    public String json() {
        return JsonText.of(map()) + "\n";
    }

    /** All statements and questions: {@code total}, and {@code statements} with a map for each. */
    public Map<String, Object> map() {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("total", items.size());
        page.put("statements", items.stream().map(DdlPage::map).toList());
        return page;
    }

    private static Map<String, Object> map(SchemaItem item) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", item.id());
        map.put("state", state(item));
        map.put("class", item.kind());
        map.put("table", item.table());
        map.put("text", item.text());
        map.put("since.seconds", item.seconds());
        map.put("shard", item.shard());
        map.put("gtid", item.gtid());
        map.put("file", item.file());
        map.put("offset", item.offset());
        map.put("code", item.code());
        map.put("message", item.message());
        map.put("has", item.has());
        map.put("lacks", item.lacks());
        map.put("commands", item.commands());
        return map;
    }

    /** The name of an item's state in JSON. */
    static String state(SchemaItem item) {
        return item.state().name().toLowerCase(Locale.ROOT);
    }

    /** All statements and questions, each with the members that have it, the members that lack it, and the commands. */
    public String text() {
        if (items.isEmpty()) {
            return "no shard is held, and all members of each table have logged its DDL statements\n";
        }
        StringBuilder text = new StringBuilder();
        List<String> counts = new ArrayList<>();
        for (SchemaItem.State state : SchemaItem.State.values()) {
            long count = items.stream().filter(item -> item.state() == state).count();
            if (count > 0) {
                counts.add(count + " " + state.name().toLowerCase(Locale.ROOT));
            }
        }
        text.append(String.join(", ", counts)).append('\n');
        items.forEach(item -> append(text, item));
        return text.toString();
    }

    private static void append(StringBuilder text, SchemaItem item) {
        text.append(String.format(
                Locale.ROOT,
                "%n%s %s  %s for %d s%s%n",
                item.kind() == null ? "TRANSACTION" : "DDL",
                item.id(),
                item.state(),
                item.seconds(),
                item.shard().isEmpty() ? "" : " on shard " + item.shard()));
        line(text, "state", meaning(item.state()));
        if (item.code() != null) {
            line(text, "error", item.code().toString());
        }
        line(text, "statement", item.text());
        line(text, "class", item.kind() == null ? "" : item.kind().toString());
        line(text, "table", item.table() == null ? "" : item.table().toString());
        line(text, "at", position(item));
        line(text, "has it", String.join(", ", item.has()));
        line(text, "lacks it", String.join(", ", item.lacks()));
        line(text, "waits for", item.message());
        item.commands().forEach(command -> line(text, "to do", command));
    }

    /** The position at which a shard waits: file and offset, and the GTID; "" if no shard waits. */
    private static String position(SchemaItem item) {
        String offset = item.file().isEmpty() ? "" : item.file() + ":" + item.offset();
        String gtid = item.gtid().isEmpty() ? "" : "GTID " + item.gtid();
        return offset.isEmpty() || gtid.isEmpty() ? offset + gtid : offset + "  " + gtid;
    }

    private static String meaning(SchemaItem.State state) {
        return switch (state) {
            case WAITING -> "the shard waits at it until every member's own statement has been received";
            case HELD -> "the shard is held at it until an operator decides";
            case PENDING -> "it is in the global binlog; some members have not run it yet";
            case COUNTING -> "some members have run it; it is written when the last one has";
        };
    }

    private static void line(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(String.format(Locale.ROOT, "  %-9s  %s%n", name, value));
        }
    }
}
