package io.tributary.collector.rows;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.store.HeldTokens;
import io.tributary.store.JournalMap;
import io.tributary.store.PayloadAppender;
import io.tributary.store.TableShapeStore;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the collector keeps in the node's store.
 *
 * @param tables empty at first, for the shapes in force; used only by the collector
 * @param held where to report how many tokens of a shard wait, by the shard's name
 * @param appender makes the appender for payload that is not written as it was received; called when such payload exists
 * @param shapes assigns table ids
 * @param journal its state at the cut from which the collector resumes; its creator closes it
 */
public record CollectorStore(
        TableShapeStore tables,
        Function<String, HeldTokens> held,
        Supplier<PayloadAppender> appender,
        Shapes shapes,
        JournalMap journal) {
    /** Assigns the one reference to each table map in this node; any thread. */
    @FunctionalInterface
    public interface Shapes {
        /**
         * The reference to a table map event.
         *
         * @param view contains the event, with logical names, from {@code at} to {@code end}
         * @param physical the table's name on the shard
         */
        TableRef table(ByteBuffer view, int at, int end, TableName physical);
    }
}
