package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.pipeline.Clock;
import io.tributary.sink.SinkPlan;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.PythonTool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** Brokers that are away, move their partitions, or refuse the account. */
class SinkBrokersTest {
    private static final int CONNECTIONS = 2;

    @Test
    void memoryStaysWithinItsLimitWhileTheBrokerIsAway() throws Exception {
        try (SinkRig rig = new SinkRig(KafkaBrokers.one())) {
            rig.clear();
            RowLoad.create(rig.source());
            long first = rig.last() + 1;
            SinkPlans plans = rig.plans();
            plans.memory = 4L << 20;
            plans.timeouts =
                    new SinkPlan.Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(60));
            SinkRig.Kept kept = rig.keep(plans.plan());
            rig.source().execute("CREATE TABLE shop.big (id INT PRIMARY KEY AUTO_INCREMENT, v LONGTEXT)");
            rig.source().execute("INSERT INTO shop.big (v) VALUES ('first')");
            new RowLoad(rig.source()).run(0, new Random(1), 50);
            kept.awaitAll();
            rig.brokers().first().kill9();
            for (int i = 0; i < 60; i++) {
                String rows = String.join(",", Collections.nCopies(20, "(REPEAT('y', 30000))"));
                rig.source().execute("INSERT INTO shop.big (v) VALUES " + rows);
            }
            Await.until(
                    () -> "a full memory: " + kept.sink().figures().held(),
                    SinkRig.LIMIT,
                    () -> kept.sink().figures().held() > 512L << 10);
            long most = 0;
            OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long cpu = process.getProcessCpuTime();
            long since = Clock.SYSTEM.nanoTime();
            long read = kept.sink().position().read().orElseThrow().gtid().gno();
            while (Clock.SYSTEM.nanoTime() - since < Duration.ofSeconds(4).toNanos()) {
                most = Math.max(most, kept.sink().figures().held());
                LockSupport.parkNanos(10_000_000);
            }
            long used = process.getProcessCpuTime() - cpu;
            System.out.println("held=" + most + " cpu=" + used / 1_000_000 + " ms in 4 s, read=" + read);
            long highest = most;
            assertTrue(highest <= plans.memory, () -> "held " + highest);
            assertTrue(used < Duration.ofSeconds(2).toNanos(), () -> "CPU " + used);
            assertTrue(kept.sink().position().read().orElseThrow().gtid().gno() < rig.last());
            rig.brokers().first().restart();
            new RowLoad(rig.source()).run(0, new Random(2), 50);
            kept.awaitAll();
            kept.stop();
            List<Received> big = rig.read("shop.big");
            assertEquals(1201, big.size());
            long bigs = big.stream()
                    .map(Received::headers)
                    .map(Received.Headers::gtid)
                    .distinct()
                    .count();
            assertEquals(61, bigs);
            List<Received> all = rig.read("shop.t");
            assertEquals(
                    all.size(),
                    all.stream()
                            .map(one -> one.headers().gtid() + " "
                                    + one.headers().row() + one.headers().split())
                            .distinct()
                            .count());
            assertTrue(all.get(0).gno() >= first);
        }
    }

    @Test
    void orderIsKeptWhileLeadersAreKilled() throws Exception {
        int kills = Integer.getInteger("leader.kills", 2);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (SinkRig rig = new SinkRig(KafkaBrokers.start(3, List.of(), Map.of()))) {
            rig.clear();
            RowLoad.create(rig.source());
            long first = rig.last() + 1;
            SinkPlans plans = rig.plans();
            plans.replication = 3;
            plans.rules = List.of("*.*:key");
            plans.timeouts =
                    new SinkPlan.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(90));
            SinkRig.Kept kept = rig.keep(plans.plan());
            for (int kill = 0; kill < kills; kill++) {
                RowLoad load = new RowLoad(rig.source());
                List<CompletableFuture<Void>> running = IntStream.range(0, CONNECTIONS)
                        .mapToObj(i -> load.start(threads, i, 3))
                        .toList();
                Await.until("transactions", SinkRig.LIMIT, () -> load.transactions() > 200);
                long sent = kept.sink().figures().messages();
                Await.until(
                        "messages", SinkRig.LIMIT, () -> kept.sink().figures().messages() > sent);
                int leader = leader(rig);
                rig.brokers().of(leader).kill9();
                long committed = committed(kept);
                Await.until(
                        () -> "commits without broker " + leader + ": " + kept.errors(),
                        SinkRig.LIMIT,
                        () -> committed(kept) > committed);
                load.slowDown();
                rig.brokers().of(leader).restart();
                awaitReplicas(rig);
                load.stop();
                running.forEach(CompletableFuture::join);
            }
            kept.awaitAll();
            kept.stop();
            System.out.println("errors=" + kept.errors());
            List<Received> all = rig.read("shop.t");
            ReplayCheck.check(all, rig.source(), first, rig.last());
            assumeTrue(PythonTool.isHere(), "Python with pip");
            List<Received> again = readByOther(rig, "shop.t");
            ReplayCheck.check(again, rig.source(), first, rig.last());
            assertEquals(Set.copyOf(all), Set.copyOf(again));
            System.out.println("messages=" + again.size() + " transactions=" + (rig.last() - first + 1));
        } finally {
            threads.shutdownNow();
        }
    }

    /** What another client, librdkafka, reads. */
    private static List<Received> readByOther(SinkRig rig, String topic) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Received> all = new ArrayList<>();
        for (String line : new PythonTool(Path.of("src/test/python"))
                .run("read_topic.py", rig.brokers().addresses(), topic)) {
            all.add(Received.of(topic, json.readTree(line)));
        }
        return all;
    }

    private static long committed(SinkRig.Kept kept) {
        return kept.sink().position().committed().map(one -> one.gtid().gno()).orElse(0L);
    }

    private static int leader(SinkRig rig) throws Exception {
        try (Admin admin = rig.admin()) {
            return admin.describeTopics(List.of("shop.t"))
                    .allTopicNames()
                    .get()
                    .get("shop.t")
                    .partitions()
                    .get(0)
                    .leader()
                    .id();
        }
    }

    private static void awaitReplicas(SinkRig rig) throws Exception {
        try (Admin admin = rig.admin()) {
            Await.until(
                    "all replicas",
                    SinkRig.LIMIT,
                    () -> admin
                            .describeTopics(Set.of("shop.t", "tributary-progress", "__transaction_state"))
                            .allTopicNames()
                            .get()
                            .values()
                            .stream()
                            .flatMap(topic -> topic.partitions().stream())
                            .allMatch(partition -> partition.isr().size() == 3));
        }
    }

    @Test
    void missingRightsAreNamedOneAfterAnother() throws Exception {
        try (SinkRig rig = new SinkRig(KafkaBrokers.start(1, List.of(), Map.of("sink", "secret")));
                Admin admin = rig.admin()) {
            rig.clear();
            rig.source()
                    .execute(
                            "CREATE DATABASE shop",
                            "CREATE TABLE shop.t (id INT PRIMARY KEY)",
                            "INSERT INTO shop.t VALUES (1)");
            SinkPlans plans = new SinkPlans(rig.brokers().first().loginAddress());
            plans.settings.put("security.protocol", "SASL_PLAINTEXT");
            plans.settings.put("sasl.mechanism", "PLAIN");
            plans.settings.put("sasl.jaas.config", login("wrong"));
            String message = refused(rig, plans);
            assertTrue(message.contains("login"), message);
            plans.settings.put("sasl.jaas.config", login("secret"));
            message = refused(rig, plans);
            assertTrue(message.contains("tributary-progress"), message);
            grant(admin, ResourceType.TOPIC, "tributary-progress", AclOperation.ALL);
            message = refused(rig, plans);
            assertTrue(message.contains("transactional id"), message);
            grant(admin, ResourceType.TRANSACTIONAL_ID, "tributary-", AclOperation.WRITE);
            message = refused(rig, plans);
            assertTrue(message.contains("shop.t"), message);
            for (AclOperation operation : List.of(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE)) {
                grant(admin, ResourceType.TOPIC, "shop.", operation);
            }
            SinkRig.Running run = rig.start(plans.plan());
            run.awaitAll();
            run.stop();
            assertEquals(
                    "INSERT shop.t 1",
                    rig.read("shop.t").stream().map(Received::value).collect(Collectors.joining()));
        }
    }

    private static String login(String password) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"sink\" password=\""
                + password + "\";";
    }

    private static String refused(SinkRig rig, SinkPlans plans) throws Exception {
        return rig.start(plans.plan()).failure(ErrorCode.SINK_REFUSED).getMessage();
    }

    private static void grant(Admin admin, ResourceType type, String prefix, AclOperation operation) throws Exception {
        admin.createAcls(List.of(new AclBinding(
                        new ResourcePattern(type, prefix, PatternType.PREFIXED),
                        new AccessControlEntry("User:sink", "*", operation, AclPermissionType.ALLOW))))
                .all()
                .get();
    }
}
