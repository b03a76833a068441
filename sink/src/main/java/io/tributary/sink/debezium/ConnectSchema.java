package io.tributary.sink.debezium;

import io.tributary.sink.json.JsonOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A schema of Kafka Connect in the JSON form of its JsonConverter. Immutable.
 *
 * @param type such as {@code int32} or {@code struct}
 * @param isOptional whether values may be null
 * @param name what the type means, "" for none
 * @param version of this meaning, 0 for none
 * @param parameters of this meaning
 * @param parts the fields of a struct, with their names; the items of an array, with an empty name
 */
record ConnectSchema(
        String type,
        boolean isOptional,
        String name,
        int version,
        Map<String, String> parameters,
        Map<String, ConnectSchema> parts) {

    static ConnectSchema of(String type, boolean isOptional) {
        return new ConnectSchema(type, isOptional, "", 0, Map.of(), Map.of());
    }

    /** The same with a meaning. */
    ConnectSchema as(String meaning, int number) {
        return new ConnectSchema(type, isOptional, meaning, number, parameters, parts);
    }

    /** The same with one more parameter. */
    ConnectSchema with(String parameter, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(parameter, value);
        return new ConnectSchema(type, isOptional, name, version, more, parts);
    }

    /** The same with one more field. */
    ConnectSchema field(String field, ConnectSchema schema) {
        Map<String, ConnectSchema> more = new LinkedHashMap<>(parts);
        more.put(field, schema);
        return new ConnectSchema(type, isOptional, name, version, parameters, more);
    }

    static ConnectSchema array(ConnectSchema items, boolean isOptional) {
        return of("array", isOptional).field("", items);
    }

    /** Its text. */
    String text() {
        return text("");
    }

    private String text(String field) {
        List<String> members = new ArrayList<>();
        members.add("\"type\":" + quoted(type));
        if (type.equals("struct")) {
            List<String> fields = new ArrayList<>();
            parts.forEach((own, schema) -> fields.add(schema.text(own)));
            members.add("\"fields\":[" + String.join(",", fields) + "]");
        } else if (!parts.isEmpty()) {
            members.add("\"items\":" + parts.get("").text());
        }
        members.add("\"optional\":" + isOptional);
        if (!name.isEmpty()) {
            members.add("\"name\":" + quoted(name));
        }
        if (version > 0) {
            members.add("\"version\":" + version);
        }
        if (!parameters.isEmpty()) {
            List<String> all = new ArrayList<>();
            parameters.forEach((key, value) -> all.add(quoted(key) + ":" + quoted(value)));
            members.add("\"parameters\":{" + String.join(",", all) + "}");
        }
        if (!field.isEmpty()) {
            members.add("\"field\":" + quoted(field));
        }
        return "{" + String.join(",", members) + "}";
    }

    static String quoted(String text) {
        return new String(new JsonOutput().string(text).toBytes(), StandardCharsets.UTF_8);
    }
}
