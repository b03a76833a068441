package io.tributary.dumper.serve;

import io.tributary.common.gtid.Gtid;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.dumper.find.SearchGoal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** What statements do with the binlog files beyond asking for their names. Nothing here blocks; all may fail with a {@link io.tributary.dumper.sql.SqlRefusal}. */
interface BinlogOrders {
    /** FLUSH BINARY LOGS: answers once the current file is finished, at once where it holds no transaction. */
    CompletableFuture<Answer> rotate();

    /** PURGE BINARY LOGS TO. */
    CompletableFuture<Answer> purgeTo(String file);

    /** PURGE BINARY LOGS BEFORE: the files that were finished before this time. */
    CompletableFuture<Answer> purgeBefore(long epochMicros);

    /** SHOW BINLOG EVENTS. */
    CompletableFuture<Answer> events(EventsWanted wanted);

    /** SHOW TRIBUTARY POSITION FOR. */
    CompletableFuture<Answer> position(SearchGoal goal);

    /** SHOW TRIBUTARY SCHEMA. */
    CompletableFuture<Answer> definitions(DefinitionsWanted wanted);

    /**
     * Which definitions of tables.
     *
     * @param upTo the transaction behind which they are wanted; empty for the newest
     * @param like a pattern of {@code schema.table}
     * @param reads the tables of which the answer may tell
     */
    record DefinitionsWanted(Optional<Gtid> upTo, String like, TableFilter reads) {}

    /**
     * Which events.
     *
     * @param file empty for the first
     * @param from offset of the first one
     * @param skip how many of them to leave out
     * @param count how many then; empty for all, as far as an answer can hold them
     * @param reads the tables of which the answer may tell
     */
    record EventsWanted(String file, long from, long skip, OptionalLong count, TableFilter reads) {}
}
