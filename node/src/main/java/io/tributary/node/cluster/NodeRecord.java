package io.tributary.node.cluster;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Content of a node in ZooKeeper: lines {@code name=value}, so that people can read them. Unknown names are ignored. */
record NodeRecord(Map<String, String> values) {
    private static final String VOTER = "elector.";

    static NodeRecord parse(byte[] bytes) {
        Map<String, String> values = new LinkedHashMap<>();
        new String(bytes, StandardCharsets.UTF_8).lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return new NodeRecord(values);
    }

    static NodeRecord none() {
        return new NodeRecord(new LinkedHashMap<>());
    }

    NodeRecord with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value.toString());
        return new NodeRecord(more);
    }

    byte[] bytes() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    /** @throws TributaryException CLUSTER_DAMAGED when the value is not a number */
    long number(String name) {
        try {
            return text(name).map(Long::parseLong).orElse(0L);
        } catch (NumberFormatException e) {
            throw damaged("expected a number as " + name + ", found " + values, e);
        }
    }

    /**
     * Epoch of a leader.
     *
     * @throws TributaryException CLUSTER_DAMAGED when no leader can have this epoch, or no larger one is possible
     */
    long epoch() {
        long epoch = number("epoch");
        if (epoch < 0 || epoch >= CutEpoch.MOST) {
            throw damaged("expected an epoch from 0 to " + (CutEpoch.MOST - 1) + ", found " + values, null);
        }
        return epoch;
    }

    private static TributaryException damaged(String message, Exception cause) {
        return new TributaryException(ErrorCode.CLUSTER_DAMAGED, "content of a node in ZooKeeper: " + message, cause);
    }

    boolean flag(String name) {
        return text(name).filter("yes"::equals).isPresent();
    }

    NodeRecord withFlag(String name) {
        return with(name, "yes");
    }

    // ---- members

    static NodeRecord of(ClusterMember member) {
        String roles = member.roles().stream()
                .map(role -> role.name().toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining(","));
        NodeRecord fields = none().with("roles", roles).with("started", member.startedMicros());
        fields = fields.address("transmit", member.transmit()).address("replicate", member.replicate());
        fields = fields.address("mysql", member.mysql()).address("admin", member.admin());
        return member.shards().isEmpty()
                ? fields
                : fields.with("shards", String.join(",", new TreeSet<>(member.shards())));
    }

    private NodeRecord address(String name, Optional<HostPort> address) {
        return address.isPresent() ? with(name, address.get()) : this;
    }

    /** Adds the identity of the process to a member. */
    NodeRecord with(ProcessIdentity process) {
        return with("process", process);
    }

    Optional<ProcessIdentity> process() {
        return text("process").flatMap(ProcessIdentity::parse);
    }

    ClusterMember member(String id) {
        try {
            Set<MemberRole> roles = Stream.of(text("roles").orElse("").split(","))
                    .map(role -> MemberRole.valueOf(role.toUpperCase(Locale.ROOT)))
                    .collect(Collectors.toSet());
            return new ClusterMember(
                    id,
                    roles,
                    new ClusterMember.Addresses(
                            address("transmit"), address("replicate"), address("mysql"), address("admin")),
                    text("shards").map(names -> Set.of(names.split(","))).orElse(Set.of()),
                    number("started"));
        } catch (IllegalArgumentException e) {
            throw damaged("expected the member " + id + ", found " + values, e);
        }
    }

    private Optional<HostPort> address(String name) {
        return text(name).map(HostPort::parse);
    }

    // ---- leaders, voters and candidates

    static NodeRecord of(Voters voters) {
        NodeRecord fields = none().with("copies", voters.copies());
        int count = 0;
        for (Map.Entry<String, String> each : new TreeMap<>(voters.byNode()).entrySet()) {
            fields = fields.with(VOTER + ++count, each.getValue() + " " + each.getKey());
        }
        return fields;
    }

    Voters voters() {
        Map<String, String> byNode = new TreeMap<>();
        for (int i = 1; text(VOTER + i).isPresent(); i++) {
            String line = text(VOTER + i).get();
            int space = line.indexOf(' ');
            if (space < 1) {
                throw damaged("expected a copy and a node as " + VOTER + i + ", found " + values, null);
            }
            byNode.put(line.substring(space + 1), line.substring(0, space));
        }
        return new Voters((int) number("copies"), byNode);
    }

    static NodeRecord of(Leader leader) {
        return none().with("node", leader.node()).with("epoch", leader.epoch());
    }

    Optional<Leader> leader() {
        return text("node").map(node -> new Leader(node, number("epoch")));
    }

    Claim claim(String what) {
        return new Claim(what, text("node").orElse(""), number("epoch"));
    }

    Coordinator.Move move() {
        return new Coordinator.Move(number("epoch"), text("to"));
    }

    static NodeRecord of(Candidate candidate) {
        LogPosition at = candidate.position();
        return none().with("epoch", at.epoch())
                .with("file", at.file())
                .with("offset", at.offset())
                .with("cut", at.cut())
                .with("copy", candidate.copy())
                .with("dumpers", candidate.quorum().dumpers())
                .with("ack", candidate.quorum().acknowledgement())
                .with("bound", candidate.bound().toMillis());
    }

    Candidate candidate(String node) {
        try {
            LogPosition at = new LogPosition(number("epoch"), (int) number("file"), number("offset"), number("cut"));
            Quorum quorum = new Quorum(
                    (int) number("dumpers"), Acknowledgement.valueOf(text("ack").orElse("")));
            return new Candidate(node, at, text("copy").orElse(""), quorum, Duration.ofMillis(number("bound")));
        } catch (IllegalArgumentException e) {
            throw damaged("expected the candidate " + node + ", found " + values, e);
        }
    }
}
