package io.tributary.serve.statement;

import io.tributary.common.gtid.Gtid;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.find.SearchGoal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The commands of statements on the binlog files. No method blocks; each may fail with a {@link io.tributary.serve.sql.SqlRefusal}. */
public interface BinlogAdmin {
    /** FLUSH BINARY LOGS: answers when the current file is finished, at once if it has no transaction. */
    CompletableFuture<Answer> rotate();

    /** PURGE BINARY LOGS TO. */
    CompletableFuture<Answer> purgeTo(String file);

    /** PURGE BINARY LOGS BEFORE: the files that were finished before this time. */
    CompletableFuture<Answer> purgeBefore(long epochMicros);

    /** SHOW BINLOG EVENTS. */
    CompletableFuture<Answer> events(EventsWanted request);

    /** SHOW TRIBUTARY POSITION FOR. */
    CompletableFuture<Answer> position(SearchGoal goal);

    /** SHOW TRIBUTARY CHECKPOINT: the newest cut before the end that readers see; no rows while nothing may be read. */
    CompletableFuture<Answer> checkpoint();

    /** SHOW TRIBUTARY SCHEMA. */
    CompletableFuture<Answer> definitions(DefinitionsWanted request);

    /**
     * A request for table definitions.
     *
     * @param upTo the transaction after which the definitions are valid; empty for the newest
     * @param like a pattern of {@code schema.table}
     * @param reads the tables that the answer may contain
     */
    record DefinitionsWanted(Optional<Gtid> upTo, String like, TableFilter reads) {}

    /**
     * A request for events.
     *
     * @param file empty for the first file
     * @param from offset of the first event
     * @param skip number of events to skip from there
     * @param count number of events after them; empty for all that one answer can contain
     * @param reads the tables that the answer may contain
     */
    record EventsWanted(String file, long from, long skip, OptionalLong count, TableFilter reads) {}
}
