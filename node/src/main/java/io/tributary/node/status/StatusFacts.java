package io.tributary.node.status;

import io.tributary.backup.Manifest;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Quorum;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Renders the parts of a status as facts: texts by name, in the order in which they are shown. */
public final class StatusFacts {
    private final Map<String, String> facts = new LinkedHashMap<>();

    private StatusFacts() {}

    /** The facts of these parts. */
    public static Map<String, String> of(List<StatusPart> parts) {
        StatusFacts made = new StatusFacts();
        parts.forEach(made::add);
        return made.facts;
    }

    /**
     * The facts of a cut: {@code cut}, and for each shard {@code frontier.NAME}, the GTIDs that are in the binlog, {@code position.NAME}, the
     * position in the shard's binlog, {@code left.out.NAME}, the GTIDs that an operator has left out, and {@code corrections.NAME}, the
     * GTIDs of corrections that are not in the binlog yet.
     */
    public static Map<String, String> of(CutStatus cut) {
        StatusFacts made = new StatusFacts();
        made.add(cut);
        return made.facts;
    }

    private void add(StatusPart part) {
        if (part instanceof DumperStatus dumper) {
            add(dumper);
        } else if (part instanceof MemberStatus member) {
            facts.put("node", member.node());
        } else if (part instanceof TaskStatus task) {
            facts.put("offers", task.stream() + " on " + task.listen());
            facts.put("streams", task.newest());
        } else if (part instanceof RelayStatus relay) {
            facts.put("relays", relay.stream() + " on " + relay.listen());
            facts.put("streams", relay.newest());
            addHeld(relay.heldShards());
        } else if (part instanceof PipelineStatus pipeline) {
            new SchemaChangeText(pipeline.schemaChanges()).addTo(facts);
            addHeld(pipeline.heldShards());
        } else if (part instanceof UpstreamStatus upstream) {
            facts.put("task", upstream.task().toString());
        } else if (part instanceof QuorumStatus needed) {
            facts.put("quorum", text(needed.quorum()));
        } else if (part instanceof BackupStatus backup) {
            facts.put("backed.up", text(backup));
        } else if (part instanceof VerifyStatus verify) {
            add(verify);
        } else if (part instanceof ApplyStatus apply) {
            add(apply);
        } else if (part instanceof SinkStatus sink) {
            add(sink);
        } else if (part instanceof LeaderStatus known) {
            facts.putIfAbsent("leader", known.leader().node());
            facts.putIfAbsent("epoch", Long.toString(known.leader().epoch()));
        }
    }

    private void addHeld(List<PipelineStatus.HeldShard> shards) {
        shards.forEach(held -> facts.put("shard." + held.shard() + ".held", held.reason()));
    }

    private void add(DumperStatus dumper) {
        if (dumper instanceof DumperStatus.Standalone standalone) {
            add(standalone.readers());
            add(standalone.files());
            standalone.cut().ifPresent(this::add);
            standalone.replication().ifPresent(this::add);
        } else if (dumper instanceof DumperStatus.Copying copying) {
            facts.put("leader", copying.leader().toString());
            facts.put("epoch", Long.toString(copying.epoch()));
            add(copying.copy());
            copying.files().ifPresent(this::add);
            copying.readers().ifPresent(this::add);
        } else if (dumper instanceof DumperStatus.Leading leading) {
            add("leads", leading.leader());
            facts.put("lease.left.ms", Long.toString(leading.leaseMillis()));
            add(leading.readers());
            leading.files().ifPresent(this::add);
            leading.cut().ifPresent(this::add);
            leading.replication().ifPresent(this::add);
        } else if (dumper instanceof DumperStatus.Following following) {
            add("follows", following.leader());
            add(following.copy());
            following.files().ifPresent(this::add);
            following.readers().ifPresent(this::add);
        } else {
            facts.put("state.in.cluster", "is a candidate");
        }
    }

    private void add(String state, Leader leader) {
        facts.put("state.in.cluster", state);
        facts.put("epoch", Long.toString(leader.epoch()));
        facts.put("leader", leader.node());
    }

    private void add(ReadersStatus readers) {
        if (readers.address().isEmpty()) {
            facts.put("serves", "not yet");
            return;
        }
        InetSocketAddress address = readers.address().get();
        facts.put("serves", address.getHostString() + ":" + address.getPort());
        facts.put("serves.to", readers.users());
    }

    private void add(FilesStatus files) {
        facts.put("server.uuid", files.serverUuid().toString());
        facts.put("binlog", files.end().file() + ":" + files.end().offset());
        facts.put("gtid.executed", files.executed().line());
        files.purged().ifPresent(purged -> facts.put("gtid.purged", purged.line()));
    }

    private void add(CopyStatus copy) {
        facts.put("copied", copy.end().file() + ":" + copy.end().offset());
        facts.put("behind.bytes", Long.toString(copy.behindBytes()));
    }

    private void add(CutStatus cut) {
        facts.put("cut", cut.number() + " of epoch " + CutEpoch.text(cut.epoch()));
        for (ShardStatus shard : cut.shards()) {
            facts.put("frontier." + shard.name(), shard.frontier().line());
            facts.put("position." + shard.name(), shard.position());
            if (!shard.leftOut().isEmpty()) {
                facts.put("left.out." + shard.name(), shard.leftOut().line());
            }
            if (!shard.corrections().isEmpty()) {
                facts.put("corrections." + shard.name(), shard.corrections().line());
            }
        }
    }

    private void add(ReplicationStatus replication) {
        facts.put("leads", "epoch " + replication.epoch());
        facts.put(
                "written",
                replication.written().file() + ":" + replication.written().offset());
        replication
                .followers()
                .forEach(each ->
                        facts.put("follower." + each.member(), each.place().toString()));
        if (replication.needed() > 0 && replication.waitingBytes() > 0) {
            facts.put(
                    "readers.wait",
                    "for " + replication.needed() + " follower(s) to acknowledge " + replication.waitingBytes()
                            + " bytes; followers now: "
                            + replication.followers().size() + " (dumper.ack)");
        }
    }

    private void add(VerifyStatus verify) {
        verify.next().ifPresent(next -> facts.put("verify.next", next.toString()));
        verify.replicas().forEach(replica -> {
            replica.running().ifPresent(run -> facts.put("verify." + replica.address() + ".now", run.toString()));
            replica.runs().stream()
                    .findFirst()
                    .ifPresent(run -> facts.put("verify." + replica.address(), run.toString()));
        });
    }

    private void add(String role, ReaderStatus reader) {
        facts.put(role + ".state", reader.state());
        facts.put(role + ".node", reader.node().toString());
        facts.put(role + ".name", reader.name());
        facts.put(role + ".executed", reader.progress().executed().line());
        reader.progress().newest().ifPresent(newest -> facts.put(role + ".newest", newest.toString()));
        facts.put(role + ".lag.transactions", number(reader.lag().transactions(), "%.0f"));
        facts.put(role + ".lag.seconds", number(reader.lag().seconds(), "%.3f"));
    }

    private void add(ApplyStatus apply) {
        add("apply", apply.reader());
        facts.put("apply.target", apply.way().target().toString());
        facts.put("apply.backend", apply.way().backend());
        facts.put("apply.order", apply.way().order());
        facts.put(
                "apply.workers.active",
                apply.work().active() + " of " + apply.work().workers());
        facts.put("apply.retries", Long.toString(apply.work().retries()));
        facts.put("apply.left.out", Long.toString(apply.work().leftOut()));
    }

    private void add(SinkStatus sink) {
        add("sink", sink.reader());
        facts.put("sink.brokers", sink.way().brokers());
        facts.put("sink.protocol", sink.way().protocol());
        facts.put("sink.delivery", sink.way().delivery());
        facts.put("sink.progress.topic", sink.way().progressTopic());
        sink.work()
                .copy()
                .ifPresent(copy ->
                        facts.put("sink.snapshot", "table " + copy.table() + ", " + copy.rows() + " rows sent"));
        facts.put("sink.rows", Long.toString(sink.work().rows()));
        facts.put("sink.commits", Long.toString(sink.work().commits()));
        facts.put("sink.memory", sink.work().memory() + " of " + sink.work().mostMemory() + " bytes");
    }

    private static String number(double value, String format) {
        return Double.isNaN(value) ? "not known" : String.format(Locale.ROOT, format, value);
    }

    private static String text(Quorum quorum) {
        return "election needs " + quorum.election() + " of " + quorum.dumpers()
                + " Dumpers, readers see transactions on " + quorum.copies();
    }

    private static String text(BackupStatus backup) {
        List<Manifest.Entry> files = backup.files();
        return files.isEmpty()
                ? "nothing yet"
                : files.size() + " files, up to " + files.get(files.size() - 1).name();
    }
}
