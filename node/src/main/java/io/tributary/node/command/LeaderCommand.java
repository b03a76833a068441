package io.tributary.node.command;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.ClusterSnapshot;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code tributary leader}: moves the leadership of the Dumpers. */
@Command(
        name = "leader",
        description = "Moves the leadership to another Dumper.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = LeaderCommand.Move.class)
final class LeaderCommand {
    private static final long TIMEOUT_SECONDS = 60;
    private static final long STEP_MILLIS = 50;

    /** {@code tributary leader move}: makes the leader resign, and waits for the next one. */
    @Command(
            name = "move",
            description = "Makes the leader resign, and waits until another Dumper leads.",
            mixinStandardHelpOptions = true)
    static final class Move implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ConfigFile config;

        @Option(
                names = "--to",
                paramLabel = "NODE",
                description =
                        "The Dumper that should lead next. It is elected if no other Dumper has more of the binlog.")
        private String to;

        @Override
        public Integer call() throws InterruptedException {
            try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
                ClusterSnapshot snapshot = coordinator.snapshot();
                Leader leader = snapshot.leader().orElseThrow(() -> refused("expected a leader, found none"));
                if (leader.node().equals(to)) {
                    return report(leader, "already leads");
                }
                List<String> others = snapshot.members().stream()
                        .filter(member ->
                                member.is(MemberRole.DUMPER) && !member.id().equals(leader.node()))
                        .map(member -> member.id())
                        .toList();
                if (others.isEmpty() || to != null && !others.contains(to)) {
                    throw refused("expected " + (to == null ? "another Dumper" : "Dumper " + to)
                            + " among the members, found these besides the leader: " + others);
                }
                coordinator.requestMove(new Coordinator.Move(leader.epoch(), Optional.ofNullable(to)));
                Leader next = await(coordinator, leader.epoch());
                boolean isAsWanted = to == null || next.node().equals(to);
                return report(next, isAsWanted ? "leads now" : "leads now: it had more of the binlog than " + to)
                        + (isAsWanted ? 0 : 1);
            }
        }

        private Leader await(ZooKeeperCoordinator coordinator, long before) throws InterruptedException {
            long since = Clock.SYSTEM.nanoTime();
            while (Clock.SYSTEM.nanoTime() - since < TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
                Optional<Leader> leader = coordinator.readLeader().filter(known -> known.epoch() > before);
                if (leader.isPresent()) {
                    return leader.get();
                }
                TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            }
            throw refused("expected another leader within " + TIMEOUT_SECONDS
                    + " s, found none: see tributary cluster status and the Dumpers' logs");
        }

        private int report(Leader leader, String what) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(leader.node() + " " + what + ", under epoch " + leader.epoch());
            out.flush();
            return 0;
        }

        private static TributaryException refused(String message) {
            return new TributaryException(ErrorCode.CLUSTER_MISMATCH, message);
        }
    }
}
