package io.tributary.node.sink;

import io.tributary.common.value.TableName;
import io.tributary.sink.mask.ValueMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Patterns of columns with masks, such as {@code shop.users.email:hash, *.*.card:stars}; the first one that fits decides.
 *
 * @param entries at least one
 */
record MaskPatterns(List<Entry> entries) {
    /** Characters of sink.mask.key. */
    static final int SHORTEST_KEY = 16;

    private static final String KEY = "sink.columns.masked";

    MaskPatterns {
        entries = List.copyOf(entries);
    }

    /** Columns and their mask. */
    record Entry(ColumnPatterns columns, ValueMask mask) {}

    /** @throws IllegalArgumentException naming the invalid pattern */
    static MaskPatterns parse(String text) {
        List<Entry> entries = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            String pattern = colon < 0 ? part : part.substring(0, colon);
            String name = colon < 0 ? "" : part.substring(colon + 1).strip();
            ValueMask mask = Arrays.stream(ValueMask.values())
                    .filter(each -> each.text().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(KEY + ": expected a pattern and one of "
                            + Arrays.stream(ValueMask.values())
                                    .map(ValueMask::text)
                                    .collect(Collectors.joining(", "))
                            + ", such as shop.users.email:hash, found '" + part.strip() + "'"));
            entries.add(new Entry(ColumnPatterns.parse(KEY, pattern), mask));
        }
        return new MaskPatterns(entries);
    }

    /** Whether one of them is {@link ValueMask#HASH}. */
    boolean hasHash() {
        return entries.stream().anyMatch(entry -> entry.mask == ValueMask.HASH);
    }

    /** The mask of a column. */
    Optional<ValueMask> of(TableName table, String column) {
        return entries.stream()
                .filter(entry -> entry.columns.matches(table, column))
                .map(Entry::mask)
                .findFirst();
    }
}
