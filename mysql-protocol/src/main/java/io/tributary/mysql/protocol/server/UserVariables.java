package io.tributary.mysql.protocol.server;

import io.tributary.mysql.protocol.SessionMemoryException;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A session's user variables, whose memory is counted. Any thread may read; one at a time may change them. */
final class UserVariables extends AbstractMap<String, String> {
    private static final int VARIABLE_BYTES = 128; // the cost of an empty one

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final SessionMemory memory;

    UserVariables(SessionMemory memory) {
        this.memory = memory;
    }

    private static long bytes(String name, String value) {
        return value == null ? 0 : VARIABLE_BYTES + 2L * (name.length() + value.length());
    }

    /** @throws SessionMemoryException if there is not enough memory; the variable keeps its value */
    @Override
    public String put(String name, String value) {
        long more = bytes(name, value) - bytes(name, values.get(name));
        if (more > 0) {
            memory.take(more);
        } else {
            memory.release(-more);
        }
        return values.put(name, value);
    }

    @Override
    public String get(Object name) {
        return values.get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        return values.containsKey(name);
    }

    @Override
    public String remove(Object name) {
        String old = values.remove(name);
        memory.release(bytes((String) name, old));
        return old;
    }

    @Override
    public void clear() {
        values.keySet().forEach(this::remove);
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return Collections.unmodifiableSet(values.entrySet());
    }
}
