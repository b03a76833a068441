package io.tributary.testkit.network;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Machine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * A network namespace that one link connects to the bridge of a {@link PrivateNetwork}. A sleeping process keeps it; it ends when this process
 * and all others in it have ended.
 */
public final class PrivateMachine implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String INSIDE = "eth0";

    private final int number;
    private ChildProcess holder;
    private boolean isOn;

    /** Creates the machine, running. */
    PrivateMachine(int number) {
        this.number = number;
        start();
    }

    /** Starts it again after {@link #vanish()}: with the same address and no processes. */
    public PrivateMachine start() {
        holder = ChildProcess.start(new ProcessBuilder("unshare", "--net", "sleep", "infinity"));
        try {
            Await.until(
                    "a network namespace of process " + holder.pid(),
                    LIMIT,
                    () -> !holder.isAlive() || !Namespaces.of(holder.pid()).equals(Namespaces.own()));
            String pid = Long.toString(holder.pid());
            Shell.run(
                    "ip link add " + port() + " type veth peer name " + INSIDE + " address " + mac(number) + " netns "
                            + pid,
                    "ip link set " + port() + " master " + PrivateNetwork.BRIDGE + " up",
                    "tc qdisc add dev " + port() + " clsact");
            Shell.runIn(
                    place().enter(),
                    "ip link set lo up",
                    "ip addr add " + address() + PrivateNetwork.MASK + " dev " + INSIDE,
                    "ip link set " + INSIDE + " up",
                    PrivateNetwork.knowAll(INSIDE));
            isOn = true;
            return this;
        } catch (RuntimeException e) {
            holder.close();
            throw e;
        }
    }

    private String port() {
        return "port" + number;
    }

    public String address() {
        return PrivateNetwork.address(number);
    }

    /** Its address, the same after each start. */
    static String mac(int number) {
        return String.format(Locale.ROOT, "02:00:0a:4d:00:%02x", number);
    }

    /** The place to start processes; a new one after {@link #vanish()} and {@link #start()}. */
    public Machine place() {
        return new Machine(address(), List.of("nsenter", "--net=" + Namespaces.path(holder.pid()), "--"));
    }

    /** Drops from now on its packets to the first addresses, and packets to it from the second ones; all others pass. */
    public void drop(Collection<String> to, Collection<String> from) {
        filter(new PacketFilter(to, 0), new PacketFilter(from, 0));
    }

    /** Drops from now on a random share of the packets that it sends. */
    public void lose(int percent) {
        filter(new PacketFilter(List.of(), percent), PacketFilter.NONE);
    }

    /** Drops nothing from now on. */
    public void pass() {
        filter(PacketFilter.NONE, PacketFilter.NONE);
    }

    private void filter(PacketFilter sent, PacketFilter got) {
        Shell.run(filter("ingress", sent.program(true)), filter("egress", got.program(false))); // seen from the port
    }

    private String filter(String side, String program) {
        return "tc filter replace dev " + port() + " " + side
                + " protocol all prio 1 handle 1 bpf direct-action bytecode '" + program + "'";
    }

    /** Cuts its link: no packet passes any more, until {@link #vanish()}. */
    public void unplug() {
        Shell.run("ip link set " + port() + " down");
    }

    /** Removes it after its processes were killed: its kernel state is lost, and no other process is informed. */
    public void vanish() {
        isOn = false;
        Shell.run("ip link del "
                + port()); // before the namespace's end: connections that were closed keep it for minutes
        holder.close();
    }

    /** Deletes its link at once, not only when the kernel has removed its namespace: the next network must start without links. */
    @Override
    public void close() {
        if (isOn) {
            vanish();
        }
    }
}
