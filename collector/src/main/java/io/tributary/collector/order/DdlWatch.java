package io.tributary.collector.order;

import io.tributary.common.value.Ddl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that a DDL statement which some shards have logged and others have not does not stay so unnoticed. */
public final class DdlWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DdlWatch.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final DdlLedger ddls;
    private final List<String> shards;
    private final long warnNanos;
    private final Map<String, Seen> seen = new HashMap<>();
    private volatile List<Waiting> waiting = List.of();
    private long lastLook;
    private boolean hasLooked;

    private static final class Seen {
        private final Ddl ddl;
        private final long since;
        private boolean isNamed;

        Seen(Ddl ddl, long since) {
            this.ddl = ddl;
            this.since = since;
        }
    }

    /**
     * A statement on its way.
     *
     * @param ddl the statement
     * @param missingOn the shards that have not logged it
     * @param seconds for how long, as far as this node has seen
     */
    public record Waiting(Ddl ddl, List<String> missingOn, long seconds) {
        public Waiting {
            missingOn = List.copyOf(missingOn);
        }

        /** As people read it. */
        @Override
        public String toString() {
            return shown(ddl) + ", not logged by " + String.join(", ", missingOn) + " for " + seconds + " s";
        }
    }

    /**
     * @param ddls read by the thread that orders, as this is
     * @param shards their names in the order of their indexes
     * @param warnNanos after which a statement is named in the log
     */
    public DdlWatch(DdlLedger ddls, List<String> shards, long warnNanos) {
        this.ddls = ddls;
        this.shards = new ArrayList<>(shards);
        this.warnNanos = warnNanos;
    }

    /** One more shard. */
    public void join(int shard, String name) {
        while (shards.size() <= shard) {
            shards.add(name);
        }
    }

    private static String shown(Ddl ddl) {
        String digest = ddl.parts().get(0).id();
        StringJoiner tables = new StringJoiner(", ");
        ddl.parts().get(0).targets().stream()
                .map(each -> each.logical())
                .forEach(table -> tables.add(table.schema() + (table.table().isEmpty() ? "" : "." + table.table())));
        return "DDL " + digest.substring(0, Math.min(8, digest.length())) + " on " + tables;
    }

    /** What is on its way now, to some tenths of a second; any thread. */
    public List<Waiting> waiting() {
        return waiting;
    }

    /** Tells the time; to be called now and then by the thread that orders. */
    public void tick(long nanoTime) {
        if (hasLooked && nanoTime - lastLook < LOOK_NANOS) {
            return;
        }
        lastLook = nanoTime;
        hasLooked = true;
        if (!ddls.isEmpty() || !seen.isEmpty()) {
            look(nanoTime);
        }
    }

    private void look(long now) {
        List<Waiting> found = new ArrayList<>();
        for (Ddl ddl : ddls.onTheirWay()) {
            Seen since = seen.computeIfAbsent(ddl.parts().get(0).id(), any -> new Seen(ddl, now));
            List<String> missingOn =
                    ddls.shardsWithout(ddl).stream().map(shards::get).toList();
            Waiting one = new Waiting(ddl, missingOn, TimeUnit.NANOSECONDS.toSeconds(now - since.since));
            found.add(one);
            if (!since.isNamed && now - since.since >= warnNanos) {
                since.isNamed = true;
                LOG.warn(
                        "{}: the global binlog has it once already; run it there too, or rows of those shards in the"
                                + " old shape are refused",
                        one);
            }
        }
        seen.entrySet().removeIf(each -> {
            boolean isOver = found.stream()
                    .noneMatch(one -> one.ddl().parts().get(0).id().equals(each.getKey()));
            if (isOver && each.getValue().isNamed) {
                LOG.info("{} has been logged by every shard", shown(each.getValue().ddl));
            }
            return isOver;
        });
        waiting = List.copyOf(found);
    }
}
