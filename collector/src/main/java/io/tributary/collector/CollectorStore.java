package io.tributary.collector;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.store.Catalogue;
import io.tributary.store.HeldTokens;
import io.tributary.store.JournalMap;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the collector keeps in the node's store.
 *
 * @param tables empty, for the shapes in force; nobody else uses it
 * @param held where to say how many tokens of a shard wait, by its name
 * @param appender makes the one that takes payload which is not written as it came; asked for when there is some
 * @param shapes gives out table ids
 * @param journal as it is at the cut from which the collector resumes; its creator closes it
 */
public record CollectorStore(
        Catalogue tables,
        Function<String, HeldTokens> held,
        Supplier<PayloadAppender> appender,
        Shapes shapes,
        JournalMap journal) {
    /** Gives out the one reference to each table map in this node; any thread. */
    @FunctionalInterface
    public interface Shapes {
        /**
         * The reference to a table map event.
         *
         * @param view has the event, with logical names, from {@code at} to {@code end}
         * @param physical the table's name on the shard
         */
        TableRef table(ByteBuffer view, int at, int end, TableName physical);
    }
}
