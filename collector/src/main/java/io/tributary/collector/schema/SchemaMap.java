package io.tributary.collector.schema;

import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What is kept of schemas, by key. For one thread. */
public interface SchemaMap {
    /** The value, which nobody may change; null where there is none. */
    byte[] get(String key);

    /** Sets a value, which belongs to the map from here on. */
    void put(String key, byte[] value);

    /** Removes a key; nothing happens where it is not there. */
    void remove(String key);

    /** Calls for each key with this prefix, in the order of the keys; the map may be changed meanwhile. */
    void forEach(String prefix, BiConsumer<String, byte[]> action);

    /** One that ends with the process. */
    static SchemaMap onHeap() {
        TreeMap<String, byte[]> entries = new TreeMap<>();
        return new SchemaMap() {
            @Override
            public byte[] get(String key) {
                return entries.get(key);
            }

            @Override
            public void put(String key, byte[] value) {
                entries.put(key, value);
            }

            @Override
            public void remove(String key) {
                entries.remove(key);
            }

            @Override
            public void forEach(String prefix, BiConsumer<String, byte[]> action) {
                new TreeMap<>(entries.subMap(prefix, prefix + Character.MAX_VALUE)).forEach(action);
            }
        };
    }
}
