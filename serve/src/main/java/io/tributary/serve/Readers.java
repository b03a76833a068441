package io.tributary.serve;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ReplicaRegistration;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.dump.DumpSession;
import io.tributary.serve.dump.ReaderLane;
import io.tributary.serve.filter.ReaderFilters;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.statement.BinlogStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current readers. A second dump of the same reader ends the first one, as in MySQL: a replica with a broken connection reconnects before
 * the server notices that the old connection is dead. Any thread.
 */
final class Readers {
    private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

    private final ReaderFilters filters;
    private final Clock clock;
    private final Map<Session, Reader> bySession = new HashMap<>();
    private final Map<String, Reader> dumping = new HashMap<>();

    /** The state of a session that reads or has registered as a replica. */
    private static final class Reader {
        private ReplicaRegistration registration;
        private String identity;
        private String user;
        private String uuid = "";
        private ReaderLane lane;
        private DumpSession dump;
        private long sinceNanos;
        private TableFilter filter;
    }

    /** @param filters the tables that each user may read now */
    Readers(ReaderFilters filters, Clock clock) {
        this.filters = filters;
        this.clock = clock;
    }

    /** The tables that the session's user may read now. */
    TableFilter filter(Session session) {
        return filters.of(session.user());
    }

    synchronized void registered(Session session, ReplicaRegistration registration) {
        reader(session).registration = registration;
    }

    /**
     * Begins a dump, and ends the running dump of the same reader: the one with the same {@code @replica_uuid}, else {@code @slave_uuid}, else
     * server id. A reader without any of them (server id 0) equals no other.
     *
     * @return false when that dump belongs to another user and this user is no administrator; then nothing is changed
     */
    boolean begins(Session session, long serverId, ReaderLane lane, DumpSession dump, TableFilter filter) {
        String uuid = uuid(session.variables());
        String identity = uuid.isEmpty() ? serverId == 0 ? null : "id " + serverId : "uuid " + uuid;
        Reader older;
        synchronized (this) {
            older = identity == null ? null : dumping.get(identity);
            if (older != null
                    && !older.user.equals(session.user())
                    && !session.account().grant().hasOneOf(NeededRights.CHANGE)) {
                return false;
            }
            Reader reader = reader(session);
            reader.user = session.user();
            reader.uuid = uuid;
            reader.identity = identity;
            reader.filter = filter;
            reader.lane = lane;
            reader.sinceNanos = older == null || older.dump == dump ? clock.nanoTime() : older.sinceNanos;
            reader.dump = dump;
            if (identity != null) {
                dumping.put(identity, reader);
            }
        }
        if (older != null && older.dump != dump) {
            DumpSession replaced = older.dump;
            older.lane.loop().execute(() -> replaced.replaced(session.toString()));
        }
        return true;
    }

    private static String uuid(Map<String, String> variables) {
        String uuid = variables.getOrDefault("replica_uuid", "");
        return uuid.isEmpty() ? variables.getOrDefault("slave_uuid", "") : uuid;
    }

    /**
     * Ends the connections of dumps whose users may now read other tables. Their readers reconnect and continue at their positions with what
     * they may read then.
     */
    synchronized void endOutdated() {
        bySession.forEach((session, reader) -> {
            if (reader.dump != null && !reader.filter.equals(filter(session))) {
                LOG.info(
                        "reader disconnected: reader=\"{}\" reason=\"its user may read other tables than before\"",
                        session);
                session.close();
            }
        });
    }

    /** Ends the dump of a session that has ended; on the loop of the dump. */
    synchronized void gone(Session session) {
        Reader reader = bySession.remove(session);
        if (reader == null) {
            return;
        }
        if (reader.identity != null) {
            dumping.remove(reader.identity, reader);
        }
        if (reader.dump != null) {
            reader.lane.loop().execute(reader.dump::end);
        }
    }

    synchronized List<BinlogStatus.ReaderStatus> list() {
        List<BinlogStatus.ReaderStatus> readers = new ArrayList<>();
        for (Reader reader : bySession.values()) {
            ReplicaRegistration registration = reader.registration;
            if (registration != null) {
                readers.add(new BinlogStatus.ReaderStatus(
                        registration.serverId(), registration.host(), registration.port(), reader.uuid));
            }
        }
        return readers;
    }

    /**
     * A reader that a dump sends to.
     *
     * @param name its uuid, else {@code id} and its server id, else {@link #OTHER}
     * @param sinceNanos when it began to read, by the clock; a connection that replaced its earlier one keeps that time
     */
    record Reading(String user, String name, DumpSession dump, long sinceNanos) {
        static final String OTHER = "other";
    }

    /** All readers that a dump sends to. */
    synchronized List<Reading> reading() {
        return bySession.values().stream()
                .filter(reader -> reader.dump != null)
                .map(reader -> new Reading(
                        reader.user,
                        !reader.uuid.isEmpty()
                                ? reader.uuid
                                : reader.identity == null ? Reading.OTHER : reader.identity,
                        reader.dump,
                        reader.sinceNanos))
                .toList();
    }

    private Reader reader(Session session) {
        return bySession.computeIfAbsent(session, absent -> new Reader());
    }
}
