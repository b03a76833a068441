package io.tributary.seed.replay;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.seed.folder.DumpFile;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The replay as a file of statements that the mysql client loads after the rows: rows overwrite what is in their way, and each update is a DELETE of the
 * image before and a WRITE of the image after. It has the rows of the tables that are copied, and no statement of the stream. Nothing in it depends on
 * what was loaded of it before, so that it may be loaded again. For one thread.
 */
public final class ReplayScript {
    private static final long LONGEST_PACKET = 1 << 30;

    private final StreamReader stream;
    private final ScriptOutput output;
    private final long held;
    private final Set<TableName> dirty = new HashSet<>();
    private long reported;

    /**
     * Where a script comes from.
     *
     * @param node a MySQL port from which the stream is read
     * @param config its sessions are not used
     */
    public record Origin(MysqlClient client, Peer node, ReplayConfig config, Clock clock) {}

    /**
     * Begins a script.
     *
     * @param file not owned
     * @param tables the copied tables of a schema that a DROP DATABASE in a transaction of the stream would remove: those copied before it
     * @param isSeeded whether a table is seeded; with an empty table name: a schema
     */
    public ReplayScript(
            Origin origin,
            DumpFile file,
            BiFunction<String, Long, Collection<TableName>> tables,
            Predicate<TableName> isSeeded,
            ReplayScriptListener listener) {
        this.stream =
                new StreamReader(origin.client(), origin.node(), origin.config().replica(), origin.clock());
        this.held = origin.config().held();
        this.output = new ScriptOutput(file, tables, isSeeded, listener);
    }

    /**
     * Appends transactions; may be called again for later ones.
     *
     * @param after transactions that are not appended: the first ones of the stream
     * @param upTo the transactions up to the end: one UUID
     * @return the tables that a statement has changed so far: the script is not right, and these tables must be copied again
     * @throws io.tributary.common.error.TributaryException NODE_UNREACHABLE, READER_REFUSED, SEED_FAILED, DISK_FULL, IO_FAILED
     */
    public Set<TableName> append(GtidSet after, GtidSet upTo, ReplayScope scope, ReplayListener listener) {
        GtidSet left = upTo.minus(after);
        if (!left.isEmpty()) {
            Sid sid = upTo.sids().get(0);
            ReplayInput input = new ReplayInput(new Gtid(sid, left.last(sid)), scope, listener, output);
            stream.read(input.input(LONGEST_PACKET, held), after, () -> report(listener));
            dirty.addAll(input.dirtyTables());
        }
        return Set.copyOf(dirty);
    }

    private void report(ReplayListener listener) {
        if (output.transactions() != reported) {
            reported = output.transactions();
            listener.applied(reported, 0);
        }
    }

    /** The last transaction with a statement about a schema, a table or a view that is seeded; 0 if there is none. */
    public long lastDefinition() {
        return output.lastDefinition();
    }

    /** The number of transactions that were read. */
    public long transactions() {
        return output.transactions();
    }

    /** Bytes of the longest statement that was written; the last one may be missing before {@link #end}. */
    public long longest() {
        return output.longest();
    }

    /** Writes the end of the last statement. */
    public void end() {
        output.end();
    }
}
