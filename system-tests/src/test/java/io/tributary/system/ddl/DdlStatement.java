package io.tributary.system.ddl;

import com.mysql.cj.xdevapi.DbDoc;
import com.mysql.cj.xdevapi.JsonArray;
import com.mysql.cj.xdevapi.JsonLiteral;
import com.mysql.cj.xdevapi.JsonString;
import com.mysql.cj.xdevapi.JsonValue;
import java.util.List;

/**
 * One entry of {@code tributary ddl list -o json}; a field that it lacks is empty.
 *
 * @param state waiting, held, pending or counting
 * @param shard the shard from which the statement or transaction arrived first
 * @param has members that have run it, as shard:schema.table
 * @param lacks members that have not run it
 * @param commands the commands that end this state
 */
record DdlStatement(
        String id,
        String state,
        String table,
        String text,
        String shard,
        String gtid,
        String code,
        String message,
        List<String> has,
        List<String> lacks,
        List<String> commands) {

    static DdlStatement of(DbDoc entry) {
        return new DdlStatement(
                text(entry, "id"),
                text(entry, "state"),
                text(entry, "table"),
                text(entry, "text"),
                text(entry, "shard"),
                text(entry, "gtid"),
                text(entry, "code"),
                text(entry, "message"),
                texts(entry, "has"),
                texts(entry, "lacks"),
                texts(entry, "commands"));
    }

    private static String text(DbDoc entry, String name) {
        return text(entry.get(name));
    }

    private static String text(JsonValue value) {
        return value == null || value == JsonLiteral.NULL
                ? ""
                : value instanceof JsonString string ? string.getString() : value.toString();
    }

    private static List<String> texts(DbDoc entry, String name) {
        return entry.get(name) instanceof JsonArray array
                ? array.stream().map(DdlStatement::text).toList()
                : List.of();
    }
}
