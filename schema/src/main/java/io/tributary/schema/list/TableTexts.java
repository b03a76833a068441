package io.tributary.schema.list;

import com.github.luben.zstd.Zstd;
import io.tributary.common.value.TableName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Tables and the statements that create them, in compressed pages: tables of the same shape need a few tens of bytes of heap each, others about a
 * fifth of their text. A name that was added twice has the later text. Immutable; any thread.
 */
public final class TableTexts {
    /** No table. */
    public static final TableTexts NONE = new TableTexts(List.of(), 0);

    /** Minimum bytes of a page before compression; the last page may have less. */
    private static final int PAGE = 256 << 10;

    private static final int LEVEL = 3;

    private final List<Page> pages;
    private final int size;

    /**
     * @param bytes compressed
     * @param length bytes after decompression
     */
    private record Page(byte[] bytes, int length) {}

    private TableTexts(List<Page> pages, int size) {
        this.pages = List.copyOf(pages);
        this.size = size;
    }

    /** Collects the texts of one shard. For one thread. */
    public static final class Builder {
        private final List<Page> pages = new ArrayList<>();
        private final ByteArrayOutputStream page = new ByteArrayOutputStream();
        private int size;

        /**
         * Adds a table.
         *
         * @param table its physical name
         * @param text a CREATE TABLE statement
         */
        public Builder add(TableName table, String text) {
            put(table.schema());
            put(table.table());
            put(text);
            size++;
            if (page.size() >= PAGE) {
                end();
            }
            return this;
        }

        private void put(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            page.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            page.writeBytes(bytes);
        }

        private void end() {
            byte[] plain = page.toByteArray();
            pages.add(new Page(Zstd.compress(plain, LEVEL), plain.length));
            page.reset();
        }

        public TableTexts build() {
            if (page.size() > 0) {
                end();
            }
            return new TableTexts(pages, size);
        }
    }

    /** The number of tables. */
    public int size() {
        return size;
    }

    /** The approximate use of heap in bytes. */
    public long bytes() {
        return pages.stream().mapToLong(page -> page.bytes.length).sum();
    }

    /** Calls with the physical name and the text of each table, in the order in which they were added; it decompresses one page at a time. */
    public void forEach(BiConsumer<TableName, String> each) {
        Map<String, String> schemas = new HashMap<>();
        for (Page page : pages) {
            ByteBuffer in = ByteBuffer.wrap(Zstd.decompress(page.bytes, page.length));
            while (in.hasRemaining()) {
                String schema = schemas.computeIfAbsent(text(in), same -> same);
                each.accept(new TableName(schema, text(in)), text(in));
            }
        }
    }

    /** The text of one table; it decompresses every page, so do not use it for many tables in a row. */
    public Optional<String> text(TableName table) {
        List<String> found = new ArrayList<>();
        forEach((each, text) -> {
            if (each.equals(table)) {
                found.add(text);
            }
        });
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return size + " tables in " + bytes() + " bytes";
    }
}
