package io.tributary.testkit.network;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A program that tests two machines and the network between them. It runs in a network namespace if possible; else it succeeds without a test. */
final class NetworkTrial {
    private static final int PORT = 4000;
    private static final int TIMEOUT_MILLIS = 300;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final List<String> WRONG = new ArrayList<>();

    private NetworkTrial() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            listen(InetAddress.getByName(arguments[0]));
            return;
        }
        Optional<String> lacks = PrivateNetwork.lacks();
        if (lacks.isPresent()) {
            System.out.println("not tried: " + lacks.get());
            return;
        }
        try (PrivateNetwork network = PrivateNetwork.open()) {
            tryOut(network);
        }
        expect("nothing is left", "only loopback", PrivateNetwork.lacks().isEmpty() ? "only loopback" : "more");
        WRONG.forEach(System.out::println);
        System.exit(WRONG.isEmpty() ? 0 : 1);
    }

    private static void listen(InetAddress own) throws IOException {
        try (ServerSocket server = new ServerSocket(PORT, 50, own)) {
            while (!server.isClosed()) {
                answer(server);
            }
        }
    }

    private static void answer(ServerSocket server) throws IOException {
        try (Socket taken = server.accept()) {
            taken.getOutputStream().write(1);
        }
    }

    private static void tryOut(PrivateNetwork network) {
        PrivateMachine one = network.machine();
        PrivateMachine other = network.machine();
        try (ChildProcess server = server(one);
                ChildProcess second = server(other)) {
            Await.until(
                    "both servers, " + server.pid() + " and " + second.pid(),
                    LIMIT,
                    () -> answer(one).equals("answers") && answer(other).equals("answers"));
            one.drop(List.of(other.address()), List.of());
            expect("to another than this one", "answers", answer(one));
            one.drop(List.of(network.otherAddress()), List.of(network.otherAddress()));
            expect("to another address of this process", "answers", answer(one));
            one.drop(List.of(network.address()), List.of());
            expect("from it, dropped", "silence", answer(one));
            one.drop(List.of(), List.of(network.address()));
            expect("to it, dropped", "silence", answer(one));
            expect("to another machine", "answers", answer(other));
            one.lose(100);
            expect("all lost", "silence", answer(one));
            one.pass();
            expect("all passes", "answers", answer(one));
            one.unplug();
            server.kill9();
            one.vanish();
            expect("to a machine that is gone", "silence", answer(one));
            one.start();
            Await.until( // the kernel may need a second until a new link is up
                    "to be refused by a machine that is back, where nothing runs",
                    LIMIT,
                    () -> answer(one).equals("refusal"));
            try (ChildProcess again = server(one)) {
                Await.until("process " + again.pid(), LIMIT, () -> answer(one).equals("answers"));
            }
        }
    }

    private static ChildProcess server(PrivateMachine machine) {
        String java = ProcessHandle.current().info().command().orElseThrow();
        return ChildProcess.start(new ProcessBuilder(machine.place()
                .command(List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NetworkTrial.class.getName(),
                        machine.address()))));
    }

    private static String answer(PrivateMachine machine) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(machine.address(), PORT), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket.getInputStream().read() == 1 ? "answers" : "an end";
        } catch (ConnectException e) {
            return "refusal";
        } catch (IOException e) {
            return "silence";
        }
    }

    private static void expect(String what, String wanted, String got) {
        if (!got.equals(wanted)) {
            WRONG.add(what + ": expected " + wanted + ", found " + got);
        }
    }
}
