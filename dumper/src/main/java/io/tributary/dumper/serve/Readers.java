package io.tributary.dumper.serve;

import io.tributary.dumper.filter.ReaderFilters;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.mysql.protocol.server.ReplicaRegistration;
import io.tributary.mysql.protocol.server.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who reads now. A second dump of the same reader ends the first, as MySQL does: a replica whose connection broke comes
 * back before its old one is noticed to be dead. Any thread.
 */
final class Readers {
    private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

    private final Map<Session, Reader> bySession = new HashMap<>();
    private final Map<String, Reader> dumping = new HashMap<>();

    /** What is known of one session that reads, or has said that it will. */
    private static final class Reader {
        private ReplicaRegistration registration;
        private String identity;
        private String user;
        private String uuid = "";
        private ReaderLane lane;
        private DumpSession dump;
        private TableFilter filter;
    }

    synchronized void registered(Session session, ReplicaRegistration registration) {
        reader(session).registration = registration;
    }

    /**
     * A dump begins, and ends the one that the same reader has: the same {@code @replica_uuid}, else {@code @slave_uuid}, else
     * server id. Without any of them (server id 0) a reader is like no other.
     *
     * @return false where another user's reader is that one, which only administrators may end: nothing is changed then
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
     * Ends the connections of dumps whose user may read other tables by now; their readers come again, and go on where they were with
     * what they may read then.
     */
    synchronized void endOutdated(ReaderFilters now) {
        bySession.forEach((session, reader) -> {
            if (reader.dump != null && !reader.filter.equals(now.of(session.user()))) {
                LOG.info("reader {} is disconnected: its user may read other tables than before", session);
                session.close();
            }
        });
    }

    /** A session is gone: its dump ends, on its own loop. */
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

    private Reader reader(Session session) {
        return bySession.computeIfAbsent(session, absent -> new Reader());
    }
}
