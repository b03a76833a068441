package io.tributary.testkit.kafka;

import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster of one or more brokers. */
public final class KafkaBrokers implements AutoCloseable, Iterable<KafkaBroker> {
    private final List<KafkaBroker> all = new ArrayList<>();

    private KafkaBrokers() {}

    /** One broker. */
    public static KafkaBrokers one() {
        return start(1, List.of(), Map.of());
    }

    /**
     * Starts brokers.
     *
     * @param settings more lines of {@code server.properties}; they override those of the testkit
     * @param users names and passwords; they have no rights until some are granted. Empty: no logins, and everyone has all rights
     */
    public static KafkaBrokers start(int count, List<String> settings, Map<String, String> users) {
        KafkaBrokers brokers = new KafkaBrokers();
        try {
            String cluster = id(UUID.randomUUID());
            List<Integer> controllers =
                    IntStream.range(0, count).map(i -> Ports.free()).boxed().toList();
            String voters = IntStream.range(0, count)
                    .mapToObj(i -> (i + 1) + "@127.0.0.1:" + controllers.get(i))
                    .collect(Collectors.joining(","));
            for (int i = 0; i < count; i++) {
                int port = Ports.free();
                int loginPort = users.isEmpty() ? 0 : Ports.free();
                Path folder = Files.createTempDirectory("tributary-kafka-");
                KafkaBroker broker = new KafkaBroker(i + 1, port, loginPort, folder);
                brokers.all.add(broker);
                List<String> lines = lines(i + 1, count, folder);
                lines.add("controller.quorum.voters=" + voters);
                lines.addAll(listeners(port, controllers.get(i), loginPort, users));
                lines.addAll(settings);
                broker.format(cluster, lines);
            }
            brokers.all.forEach(KafkaBroker::start);
            brokers.all.forEach(KafkaBroker::awaitOpen);
            return brokers;
        } catch (IOException e) {
            brokers.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            brokers.close();
            throw e;
        }
    }

    /** The form in which Kafka writes UUIDs. */
    private static String id(UUID uuid) {
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static List<String> lines(int id, int count, Path folder) {
        int replicas = Math.min(3, count);
        return new ArrayList<>(List.of(
                "node.id=" + id,
                "process.roles=broker,controller",
                "log.dirs=" + folder.resolve("logs"),
                "auto.create.topics.enable=false",
                "default.replication.factor=" + replicas,
                "min.insync.replicas=" + Math.max(1, replicas - 1),
                "offsets.topic.replication.factor=" + replicas,
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=" + replicas,
                "transaction.state.log.min.isr=" + Math.max(1, replicas - 1),
                "transaction.state.log.num.partitions=1",
                "group.initial.rebalance.delay.ms=0",
                "broker.session.timeout.ms=3000",
                "broker.heartbeat.interval.ms=500",
                "controlled.shutdown.enable=false"));
    }

    private static List<String> listeners(int port, int controllerPort, int loginPort, Map<String, String> users) {
        List<String> lines = new ArrayList<>();
        String plain = "PLAINTEXT://127.0.0.1:" + port;
        String login = users.isEmpty() ? "" : ",LOGIN://127.0.0.1:" + loginPort;
        lines.add("listeners=" + plain + login + ",CONTROLLER://127.0.0.1:" + controllerPort);
        lines.add("advertised.listeners=" + plain + login);
        lines.add("controller.listener.names=CONTROLLER");
        lines.add("inter.broker.listener.name=PLAINTEXT");
        lines.add("listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOGIN:SASL_PLAINTEXT");
        if (!users.isEmpty()) {
            lines.add("listener.name.login.sasl.enabled.mechanisms=PLAIN");
            lines.add("listener.name.login.plain.sasl.jaas.config="
                    + "org.apache.kafka.common.security.plain.PlainLoginModule required "
                    + users.entrySet().stream()
                            .map(user -> "user_" + user.getKey() + "=\"" + user.getValue() + "\"")
                            .collect(Collectors.joining(" "))
                    + ";");
            lines.add("authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            lines.add("super.users=User:ANONYMOUS");
        }
        return lines;
    }

    /** The addresses of all, for {@code bootstrap.servers}. */
    public String addresses() {
        return all.stream().map(KafkaBroker::address).collect(Collectors.joining(","));
    }

    /** The first one. */
    public KafkaBroker first() {
        return all.get(0);
    }

    /** The one with a number. */
    public KafkaBroker of(int id) {
        return all.get(id - 1);
    }

    @Override
    public Iterator<KafkaBroker> iterator() {
        return List.copyOf(all).iterator();
    }

    /** Ends all. */
    @Override
    public void close() {
        all.forEach(KafkaBroker::close);
    }
}
