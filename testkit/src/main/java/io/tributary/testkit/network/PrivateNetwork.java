package io.tributary.testkit.network;

import io.tributary.testkit.server.Machine;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A network of machines on a bridge in this process's network namespace, which must be private: {@code bin/in-private-network} starts a process in
 * one. The real network of the machine is not visible and not changed. Everything disappears when the processes have ended.
 */
public final class PrivateNetwork implements AutoCloseable {
    static final String BRIDGE = "hub";
    static final String MASK = "/24";
    private static final String FIRST_THREE = "10.77.0.";
    private static final int HERE = 1;
    private static final int ALSO_HERE = 2;
    private static final int FIRST_MACHINE = 3;
    private static final int MOST_MACHINES = 20;

    private final List<PrivateMachine> machines = new ArrayList<>();

    private PrivateNetwork() {}

    /** The reason why no network can be created here, found by trying; empty if it works. */
    public static Optional<String> lacks() {
        try (PrivateNetwork probe = open()) {
            probe.machine().lose(1);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** @throws IllegalStateException if it cannot be created, with the reason */
    public static PrivateNetwork open() {
        if (!Namespaces.isPrivate() || !hasOnlyLoopback()) {
            throw new IllegalStateException(
                    "this process is not in a network namespace of its own; bin/in-private-network starts it in one, as root");
        }
        Shell.run("ip link add " + BRIDGE + " address " + PrivateMachine.mac(HERE) + " type bridge");
        PrivateNetwork network = new PrivateNetwork();
        try {
            Shell.run(
                    "ip addr add " + address(HERE) + MASK + " dev " + BRIDGE,
                    "ip addr add " + address(ALSO_HERE) + MASK + " dev " + BRIDGE,
                    "ip link set " + BRIDGE + " up",
                    knowAll(BRIDGE));
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    private static boolean hasOnlyLoopback() {
        try {
            for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
                if (!one.isLoopback()) {
                    return false;
                }
            }
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    static String address(int number) {
        return FIRST_THREE + number;
    }

    /** The commands that give an end of a link the hardware addresses of all others, so that missing ARP answers do not reveal a failed machine. */
    static String knowAll(String device) {
        return IntStream.range(HERE, FIRST_MACHINE + MOST_MACHINES)
                .mapToObj(number -> "ip neigh replace " + address(number) + " lladdr "
                        + PrivateMachine.mac(number == ALSO_HERE ? HERE : number) + " dev " + device)
                .collect(Collectors.joining("\n"));
    }

    /** The address of this process. */
    public String address() {
        return address(HERE);
    }

    /** A second address of this process, for connections whose packets are dropped separately. */
    public String otherAddress() {
        return address(ALSO_HERE);
    }

    /** Creates a machine, which ends with this network. */
    public PrivateMachine machine() {
        if (machines.size() == MOST_MACHINES) {
            throw new IllegalStateException("there are " + MOST_MACHINES + " machines already");
        }
        PrivateMachine made = new PrivateMachine(FIRST_MACHINE + machines.size());
        machines.add(made);
        return made;
    }

    /** The place of processes that run beside this one. */
    public Machine here() {
        return new Machine(address(), List.of());
    }

    @Override
    public void close() {
        machines.forEach(PrivateMachine::close);
        Shell.run("ip link del " + BRIDGE);
    }
}
