package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.protocol.tls.CertificateAuthority;
import io.tributary.rpc.GrpcTlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams over real connections on the loopback interface. */
class TransmitTest {
    private static final StreamIdentity IDENTITY = new StreamIdentity("c1", "main");
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private final Chunks chunks = new Chunks();

    private static TransmitServer serve(StreamSource task) {
        return serve(task, 0);
    }

    private static TransmitServer serve(StreamSource task, int port) {
        return new TransmitServer(TransmitSettings.at(port, MIB), IDENTITY, task, new Metrics(), Clock.SYSTEM);
    }

    private static TestDumper dumper(TransmitServer server) {
        return new TestDumper(TransmitSettings.at(server.port(), MIB), IDENTITY, 0, Optional.empty());
    }

    private static TributaryException failure(TestDumper dumper) {
        return assertThrows(TributaryException.class, () -> dumper.takeUntil(Long.MAX_VALUE));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(Clock.SYSTEM.nanoTime() < deadline, "nothing happened within a minute");
            LockSupport.parkNanos(100_000);
        }
    }

    /** Chunks of all kinds: batches of random sizes, sometimes a large transaction, sometimes a cut. */
    private Chunk mixed(long number) {
        SplittableRandom random = new SplittableRandom(number * 31);
        return switch ((int) (number % 10)) {
            case 1 -> new Chunk.Begin(number, 3 * 100_000, 77);
            case 2, 3, 4 -> chunks.data(number, 100_000);
            case 5 -> new Chunk.End(number);
            case 6, 0 -> new Chunk.CutMark(number, Chunks.cut(number));
            default ->
                chunks.batch(
                        number, random.ints(1 + random.nextInt(300), 1, 900).toArray());
        };
    }

    @Test
    void missingCertificatesFailTheReceiverWhenItRunsAndNotWhenItIsCreated() {
        Path none = Path.of("not", "there.pem");
        TransmitConfig config = TransmitSettings.at(
                1,
                MIB,
                new GrpcTlsConfig(Optional.of(none), Optional.of(none), Optional.of(none), Optional.empty(), false));
        try (TestDumper dumper = new TestDumper(config, IDENTITY, 0, Optional.empty())) {
            TributaryException failure = failure(dumper);
            assertEquals(ErrorCode.STREAM_BROKEN, failure.code());
            assertTrue(failure.getMessage().contains(none.toString()), failure.getMessage());
        }
    }

    @Test
    void carriesBatchesLargeTransactionsAndCuts() {
        TestTask task = new TestTask(2000, this::mixed);
        try (TransmitServer server = serve(task)) {
            TestDumper dumper = dumper(server);
            List<Chunk> taken = dumper.takeUntil(2000);
            assertEquals(2000, taken.size());
            assertEquals(new Chunk.Begin(1, 300_000, 77), taken.get(0));
            assertEquals(new Chunk.End(5), taken.get(4));
            for (int number = 10; number <= 2000; number += 10) {
                assertEquals(new Chunk.CutMark(number, Chunks.cut(number)), taken.get(number - 1));
            }
            Chunk.Batch seventh = (Chunk.Batch) taken.get(6);
            Chunk.Batch made = (Chunk.Batch) mixed(7);
            assertArrayEquals(made.lengths(), seventh.lengths());
            assertArrayEquals(made.events(), seventh.events());
            made.release();
            dumper.close();
            assertEquals(0, dumper.memory());
        }
        assertEquals(0, chunks.held());
        assertEquals(0, task.running());
    }

    @Test
    void creditBoundsWhatIsInFlight() {
        TestTask task = new TestTask(1000, number -> chunks.batch(number, 50 * KIB));
        try (TransmitServer server = serve(task);
                TestDumper dumper =
                        new TestDumper(TransmitSettings.at(server.port(), 300 * KIB), IDENTITY, 0, Optional.empty())) {
            dumper.work(() -> chunks.heldBytes() >= MIB); // the Task's queue is full
            long sent = task.made() - chunks.held();
            long most = (300 + 50 + 1024 + 2 * 50) / 50; // the credit, one message, the receiver's link, and one more
            assertTrue(sent <= most, sent + " sent");
            dumper.takeUntil(1000);
            assertTrue(dumper.peak() <= (300 + 1024 + 3 * 50) * KIB, "held " + dumper.peak());
            assertTrue(chunks.peakBytes() <= MIB + 2 * 50 * KIB, "held " + chunks.peakBytes());
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void carriesATransactionOf200MiBInLittleMemory() {
        int parts = 400;
        LongFunction<Chunk> maker = number -> number == 1
                ? new Chunk.Begin(1, (long) parts * MIB / 2, parts)
                : number == parts + 2 ? new Chunk.End(number) : chunks.data(number, MIB / 2);
        TestTask task = new TestTask(parts + 2, maker);
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server)) {
            dumper.takeUntil(parts + 2);
            assertTrue(dumper.peak() <= 4 * MIB, "held " + dumper.peak());
            assertTrue(chunks.peakBytes() <= 3 * MIB, "held " + chunks.peakBytes());
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void failsWhenTheTaskEndsAndResumesWithTheNextTaskFromTheCut() {
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed);
        TransmitServer server = serve(task);
        int port = server.port();
        TestDumper dumper = dumper(server);
        dumper.takeUntil(100);
        server.close();
        TributaryException failure = failure(dumper);
        assertEquals(ErrorCode.STREAM_BROKEN, failure.code());
        assertTrue(failure.getMessage().contains("the Task is closing"), failure.getMessage());
        dumper.close();
        assertEquals(0, chunks.held());
        assertEquals(0, dumper.memory());

        TestDumper early = new TestDumper(TransmitSettings.at(port, MIB), IDENTITY, 0, Optional.of(Chunks.cut(10)));
        assertEquals(ErrorCode.STREAM_BROKEN, failure(early).code());
        early.close();

        TestTask next = new TestTask(30, this::mixed);
        try (TransmitServer again = serve(next, port);
                TestDumper resumed = new TestDumper(
                        TransmitSettings.at(again.port(), MIB), IDENTITY, 0, Optional.of(Chunks.cut(10)))) {
            resumed.takeUntil(30);
            assertEquals(List.of(Optional.of(Chunks.cut(10))), next.opened());
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void theTaskKnowsWhatIsDurableAtTheDumper() {
        TestTask task = new TestTask(20, this::mixed);
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server)) {
            dumper.takeUntil(20);
            assertEquals(0, task.durableCut());
            for (long cut : new long[] {3, 7}) {
                dumper.madeDurable(cut);
                dumper.work(() -> task.durableCut() == cut);
            }
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void endsThePipelineWhenTheDumperDisconnects() {
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed);
        try (TransmitServer server = serve(task)) {
            TestDumper dumper = dumper(server);
            dumper.takeUntil(50);
            assertEquals(1, task.running());
            dumper.close();
            await(() -> task.running() == 0 && chunks.held() == 0);
        }
    }

    @Test
    void aNewStreamEndsTheOneBefore() {
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed).knowing(3);
        try (TransmitServer server = serve(task);
                TestDumper first = dumper(server);
                TestDumper second =
                        new TestDumper(TransmitSettings.at(server.port(), MIB), IDENTITY, 3, Optional.empty());
                TestDumper late =
                        new TestDumper(TransmitSettings.at(server.port(), MIB), IDENTITY, 2, Optional.empty())) {
            first.takeUntil(50);
            second.takeUntil(50);
            assertEquals(1, task.running());
            TributaryException replaced = failure(first);
            assertEquals(ErrorCode.STREAM_BROKEN, replaced.code());
            assertTrue(replaced.getMessage().contains("a newer stream has taken over"), replaced.getMessage());
            TributaryException refused = failure(late);
            assertEquals(
                    ErrorCode.STREAM_BROKEN, refused.code(), "it may become the leader again, under a newer epoch");
            assertTrue(refused.getMessage().contains("expected a Dumper of epoch 3"), refused.getMessage());
            second.takeUntil(500);
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void refusesACallOfAnEpochThatNoLeaderHasHadAndChangesNothing() {
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed).knowing(3);
        try (TransmitServer server = serve(task);
                TestDumper leader = dumper(server, 3);
                TestDumper stranger = dumper(server, -1);
                TestDumper next = dumper(server, 4)) {
            leader.takeUntil(50);
            TributaryException refused = failure(stranger);
            assertEquals(ErrorCode.STREAM_BROKEN, refused.code(), refused.getMessage());
            assertTrue(refused.getMessage().contains("expected a Dumper of epoch 3, the newest"), refused.getMessage());
            leader.takeUntil(500);
            assertEquals(1, task.opened().size(), "the stream that runs is the first");
            task.knowing(4);
            next.takeUntil(50);
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void refusesAnEpochThatCannotBeCheckedAndKeepsTheRunningStream() {
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed).knowing(3);
        try (TransmitServer server = serve(task);
                TestDumper leader = dumper(server, 3)) {
            leader.takeUntil(50);
            task.unreachable(true);
            try (TestDumper next = dumper(server, 4)) {
                assertTrue(failure(next).getMessage().contains("CLUSTER_UNREACHABLE"));
            }
            leader.takeUntil(500);
            task.unreachable(false);
            task.knowing(4);
            try (TestDumper next = dumper(server, 4)) {
                next.takeUntil(50);
            }
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void aCertificateProvesAnEpochThatTheTaskDoesNotKnow(@TempDir Path folder) throws IOException {
        GrpcTlsConfig tls = certificates(folder);
        TestTask task = new TestTask(Long.MAX_VALUE, this::mixed).knowing(3);
        TransmitConfig config = TransmitSettings.at(0, MIB, tls);
        try (TransmitServer server = new TransmitServer(config, IDENTITY, task, new Metrics(), Clock.SYSTEM)) {
            try (TestDumper stranger = dumper(server, 9)) {
                assertEquals(ErrorCode.STREAM_BROKEN, failure(stranger).code());
            }
            assertEquals(List.of(), task.opened(), "without a certificate nothing is opened");
            TransmitConfig calls = TransmitSettings.at(server.port(), MIB, tls);
            try (TestDumper leader = new TestDumper(calls, IDENTITY, 9, Optional.empty())) {
                leader.takeUntil(50);
            }
            try (TestDumper older = new TestDumper(calls, IDENTITY, 8, Optional.empty())) {
                assertTrue(failure(older).getMessage().contains("epoch 9 or newer, found epoch 8"));
            }
        }
        assertEquals(0, chunks.held());
    }

    private static GrpcTlsConfig certificates(Path folder) throws IOException {
        CertificateAuthority.Pair ca = CertificateAuthority.create("nodes", Duration.ofDays(30), Clock.SYSTEM);
        Path caFile = Files.writeString(folder.resolve("ca.pem"), ca.certificate());
        Path caKey = Files.writeString(folder.resolve("ca-key.pem"), ca.key());
        X509Certificate[] chain = PemFiles.certificates(caFile);
        CertificateAuthority.Pair node = new CertificateAuthority(
                        chain[0], PemFiles.keyOf(caKey, chain, caFile), Clock.SYSTEM)
                .node("node", List.of("127.0.0.1"), Duration.ofDays(30));
        return new GrpcTlsConfig(
                Optional.of(Files.writeString(folder.resolve("node.pem"), node.certificate())),
                Optional.of(Files.writeString(folder.resolve("node-key.pem"), node.key())),
                Optional.of(caFile),
                Optional.empty(),
                false);
    }

    private static TestDumper dumper(TransmitServer server, long epoch) {
        return new TestDumper(TransmitSettings.at(server.port(), MIB), IDENTITY, epoch, Optional.empty());
    }

    @Test
    void refusesAnotherClusterOrStream() {
        TestTask task = new TestTask(1, this::mixed);
        for (StreamIdentity other : List.of(new StreamIdentity("c2", "main"), new StreamIdentity("c1", "side"))) {
            try (TransmitServer server = serve(task);
                    TestDumper dumper =
                            new TestDumper(TransmitSettings.at(server.port(), MIB), other, 0, Optional.empty())) {
                TributaryException failure = failure(dumper);
                assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code());
                assertTrue(failure.getMessage().contains("found " + other), failure.getMessage());
            }
        }
        assertEquals(List.of(), task.opened());
    }

    @Test
    void aDumperOfAClusterMayUseAnotherTaskAfterARefusal() {
        try (TransmitServer server = serve(new TestTask(1, this::mixed));
                TestDumper leader = new TestDumper(
                        TransmitSettings.at(server.port(), MIB),
                        new StreamIdentity("c1", "side"),
                        1,
                        Optional.empty())) {
            TributaryException failure = failure(leader);
            assertEquals(ErrorCode.STREAM_REFUSED, failure.code());
            assertTrue(failure.getMessage().contains("127.0.0.1:" + server.port()), failure.getMessage());
        }
    }

    @Test
    void sendsTheDumperTheErrorOfThePipeline() {
        TestTask task = new TestTask(100, number -> number < 20 ? mixed(number) : null);
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server)) {
            TributaryException failure = failure(dumper);
            assertEquals(ErrorCode.STREAM_BROKEN, failure.code());
            assertTrue(failure.getMessage().contains("SHARD_UNREACHABLE: shard s1"), failure.getMessage());
            await(() -> task.running() == 0);
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void notifiesTheDumperThatTheStreamMustBeOpenedAgain() {
        TestTask task = new TestTask(100, number -> {
            if (number < 20) {
                return mixed(number);
            }
            throw new TributaryException(ErrorCode.STREAM_RENEWED, "no relay reads shard s3 any more");
        });
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server)) {
            TributaryException failure = failure(dumper);
            assertEquals(ErrorCode.STREAM_RENEWED, failure.code());
            assertTrue(failure.getMessage().contains("must be opened again"), failure.getMessage());
            await(() -> task.running() == 0);
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void sendsTheDumperTheErrorIfNoPipelineCanBeBuilt() {
        StreamSource none = (resume, journal, sink, sender, failure) -> {
            throw new TributaryException(ErrorCode.SHARD_POSITION_PURGED, "shard s2 has purged what follows");
        };
        try (TransmitServer server = serve(none);
                TestDumper dumper = dumper(server)) {
            assertTrue(failure(dumper).getMessage().contains("SHARD_POSITION_PURGED: shard s2"));
        }
    }

    @Test
    void refusesAGapARepeatAndAnIncompleteTransaction() {
        assertRefused(
                "expected chunk 5, found chunk 6: a gap", number -> chunks.batch(number < 5 ? number : number + 1, 9));
        assertRefused("expected chunk 5, found chunk 4: a repeat", number -> chunks.batch(number < 5 ? number : 4, 9));
        assertRefused(
                "expected the rest of a transaction in chunk 2, found Batch",
                number -> number == 1 ? new Chunk.Begin(1, 10, 1) : chunks.batch(number, 9));
        assertRefused("expected the beginning of a transaction in chunk 1, found End", Chunk.End::new);
        assertRefused(
                "expected a large transaction to end after all of its bytes, found 10 bytes missing at chunk 2",
                number -> number == 1 ? new Chunk.Begin(1, 10, 1) : new Chunk.End(number));
        assertRefused(
                "expected 17 bytes in chunk 1, the sum of its 2 lengths, found 16",
                number -> new Chunk.Batch(
                        number, java.nio.ByteBuffer.allocateDirect(16), new int[] {8, 9}, new int[] {1, 1}, () -> {}));
        assertRefused(
                "expected chunk 1 to contain the number of events of 2 transactions, found those of 1",
                number -> new Chunk.Batch(
                        number, java.nio.ByteBuffer.allocateDirect(16), new int[] {8, 8}, new int[] {1}, () -> {}));
    }

    private void assertRefused(String message, LongFunction<Chunk> maker) {
        try (TransmitServer server = serve(new TestTask(100, maker))) {
            TestDumper dumper = dumper(server);
            TributaryException failure = failure(dumper);
            assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code());
            assertTrue(failure.getMessage().contains(message), failure.getMessage());
            dumper.close();
            assertEquals(0, dumper.memory());
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void refusesAChunkThatIsLargerThanAMessage() {
        try (TransmitServer server = serve(new TestTask(3, number -> chunks.batch(number, 4 * MIB)));
                TestDumper dumper = dumper(server)) {
            assertTrue(failure(dumper).getMessage().contains("expected chunk 1 to fit a message of transmit.message"));
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void namesAnAddressThatIsInUse() {
        TestTask task = new TestTask(1, this::mixed);
        try (TransmitServer server = serve(task)) {
            int port = server.port();
            TributaryException failure = assertThrows(TributaryException.class, () -> serve(task, port));
            assertEquals(ErrorCode.ADDRESS_UNUSABLE, failure.code());
        }
    }
}
