package io.tributary.sink.avro;

import io.tributary.sink.registry.SchemaIds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Gives numbers to schemas without a registry. */
final class KnownSchemas implements SchemaIds {
    private final Map<String, Integer> ids = new LinkedHashMap<>();
    private final List<String> schemas = new ArrayList<>();

    @Override
    public synchronized int id(String subject, String schema) {
        return ids.computeIfAbsent(subject + " " + schema, key -> {
            schemas.add(schema);
            return 1_000_000 + schemas.size() - 1;
        });
    }

    /** The schema of an id as it would come from a registry: read from its text. */
    synchronized Schema of(int id) {
        return new Schema.Parser().parse(schemas.get(id - 1_000_000));
    }

    /** All schemas by their ids. */
    synchronized Map<Integer, String> all() {
        Map<Integer, String> all = new LinkedHashMap<>();
        for (int i = 0; i < schemas.size(); i++) {
            all.put(1_000_000 + i, schemas.get(i));
        }
        return all;
    }

    synchronized List<String> subjects() {
        return ids.keySet().stream()
                .map(key -> key.substring(0, key.indexOf(' ')))
                .toList();
    }
}
