package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Journal;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.transmit.proto.TransmitWire;
import io.tributary.transmitter.token.PayloadReader;
import io.tributary.transmitter.token.TokenChunkReader;
import io.tributary.transmitter.token.TokenChunkWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of tokens from a relay to the Task above it, over real connections on the loopback interface. */
class TokenStreamTest {
    private static final long SEED = Long.getLong("seed", 5);
    private static final StreamIdentity IDENTITY = new StreamIdentity("c1", "main");
    private static final int MIB = 1 << 20;
    private static final int SHARDS = 4;
    /** The Task has other shards between those of the relay. */
    private static final int[] INDEXES = {0, 2, 3, 9};

    @TempDir
    private Path folder;

    private PayloadStore below;
    private PayloadStore above;
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Queue<TokenMaker.Made> made = new ConcurrentLinkedQueue<>();

    private static TokenReceiver.Upstream upstream(
            int port, StreamIdentity identity, String settings, TokenReceiver.RelayedShards shards) {
        return new TokenReceiver.Upstream("r1", new HostPort("127.0.0.1", port), identity, settings, shards);
    }

    private static StoreConfig store(Path directory, long memory) {
        return new StoreConfig(
                new StoreMemory(new ByteSize(memory), new ByteSize(256 << 10)),
                new SpillLimits(new ByteSize(4 * MIB), new ByteSize(2 * MIB), 90, new ByteSize(1L << 30)),
                new ByteSize(1 << 28),
                directory,
                StoreMode.AUTO);
    }

    @BeforeEach
    void openStores() {
        below = new PayloadStore(store(folder.resolve("below"), 32 * MIB), new Metrics());
        above = new PayloadStore(store(folder.resolve("above"), 32 * MIB), new Metrics());
    }

    @AfterEach
    void nothingIsLeft() {
        assertTrue(above.hasSpilled() || above.memoryInUse() == 0, "memory of the Task's store");
        assertEquals(0, above.spilled(), "spill of the Task's store");
        assertEquals(0, allocator.metric().usedDirectMemory(), "messages");
        above.close();
        below.close();
    }

    private static TransmitServer serve(TokenSource relay) {
        return new TransmitServer(TransmitSettings.at(0, MIB), IDENTITY, relay, new Metrics(), Clock.SYSTEM);
    }

    /** This many tokens of any kind for each stream; {@link #made} keeps them. */
    private TestRelay relay(int tokens) {
        return new TestRelay(SHARDS, () -> {
            TokenMaker maker = new TokenMaker(SEED, SHARDS, below.appender("below"));
            return counted(tokens, maker::any);
        });
    }

    private Supplier<Token> counted(int tokens, Supplier<TokenMaker.Made> maker) {
        int[] left = {tokens};
        return () -> {
            if (left[0]-- <= 0) {
                return null;
            }
            TokenMaker.Made next = maker.get();
            made.add(next);
            return next.token();
        };
    }

    /** A Task that the test's own thread runs. */
    private final class TestUpper implements AutoCloseable {
        private final Link<Token> link = new Link<>("relay", 64, Clock.SYSTEM);
        private final RoundRequest demand = new RoundRequest();
        private final TokenReceiver receiver;
        private long peak;

        TestUpper(int port, long credit) {
            this(port, credit, IDENTITY, "server.id=7", TokenMaker.from(SHARDS), INDEXES);
        }

        TestUpper(int port, long credit, StreamIdentity identity, String settings, Cut from, int[] indexes) {
            this(credit, upstream(port, identity, settings, TokenReceiver.RelayedShards.of(from, indexes)));
        }

        TestUpper(long credit, TokenReceiver.Upstream relay) {
            TransmitConfig config = TransmitSettings.at(relay.address().port(), credit);
            TokenReceiver.RelayedShards shards = relay.shards();
            PayloadReader payload = new PayloadReader(above.appender("relay r1"), TokenMaker.shapes());
            receiver = new TokenReceiver(
                    relay,
                    TokenReceiver.stream(config, relay, allocator),
                    link,
                    new TokenChunkReader(shards.from().shards(), shards.indexes(), payload, demand),
                    new Metrics());
        }

        Token next() {
            long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (link.peek() == null) {
                assertTrue(Clock.SYSTEM.nanoTime() < deadline, "nothing happened within a minute");
                if (receiver.doWork() == 0) {
                    LockSupport.parkNanos(50_000);
                }
                peak = Math.max(peak, allocator.metric().usedDirectMemory());
            }
            return link.poll();
        }

        /** Receives this many tokens and checks that each is the one that was made. */
        TestUpper take(int tokens) {
            for (int i = 0; i < tokens; i++) {
                Token token = next();
                TokenMaker.check(made.remove(), token, INDEXES);
            }
            return this;
        }

        @Override
        public void close() {
            receiver.close();
            link.drain(Token::release);
        }
    }

    private static TributaryException failureOf(TestUpper upper) {
        return assertThrows(TributaryException.class, () -> {
            for (int i = 0; i < Integer.MAX_VALUE; i++) {
                upper.next().release();
            }
        });
    }

    @Test
    void tokensOfEveryKindArriveUnchanged() {
        TestRelay relay = relay(20_000);
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), MIB)) {
            upper.take(20_000);
            assertEquals(List.of(TokenMaker.from(SHARDS)), relay.opened());
        }
    }

    @Test
    void aRelayBeginsWithTheHiddenTablesThatTheTaskKnows() {
        TestRelay relay = relay(3);
        HiddenTable copy = HiddenTable.copy(
                new TableName("shop", "_t_gho"),
                List.of(new HiddenTable.Alter(
                        "ADD c INT",
                        new HiddenTable.SessionSettings("shop", false, true, "UTF-8", ByteBuffer.allocate(7)))));
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(
                        MIB,
                        upstream(
                                server.port(),
                                IDENTITY,
                                "server.id=7",
                                new TokenReceiver.RelayedShards(
                                        TokenMaker.from(SHARDS),
                                        INDEXES,
                                        List.of(new Journal.Put(
                                                HiddenForm.key("s1", copy.name()), HiddenForm.encode(copy))))))) {
            upper.take(3);
            assertEquals(Map.of("s1", List.of(copy)), relay.hidden());
        }
    }

    @Test
    void aLargePayloadPassesThroughSmallCreditsAndLittleMemory() {
        TestRelay relay = new TestRelay(SHARDS, () -> {
            TokenMaker maker = new TokenMaker(SEED, SHARDS, below.appender("below"));
            int[] number = {0};
            return counted(12, () -> ++number[0] % 4 == 0 ? maker.local(100, MIB) : maker.local(2, 3 * MIB));
        });
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), 64 << 10)) {
            upper.take(12);
            assertTrue(upper.peak <= MIB, "messages held " + upper.peak);
            assertTrue(above.hasSpilled(), "a transaction of 50 MiB goes to disk past 4");
        }
    }

    @Test
    void sendsARequestForARoundOnceUntilATokenIsSent() {
        TestRelay relay = relay(3);
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), MIB)) {
            upper.take(3);
            assertFalse(upper.demand.isRequested());
            relay.demand().request();
            await(upper, upper.demand::isRequested);
            upper.demand.clear();
            relay.demand().request();
            await(upper, () -> !relay.demand().isRequested());
            for (int i = 0; i < 100; i++) {
                upper.receiver.doWork();
                LockSupport.parkNanos(100_000);
            }
            assertFalse(upper.demand.isRequested(), "no token was sent since the last request");
        }
    }

    @Test
    void sendsACommittedTsoWithTokensAndWithout() {
        TestRelay relay = relay(3);
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), MIB)) {
            upper.take(3);
            assertEquals(0, upper.demand.committedTso());
            relay.demand().committed(7L << 60);
            await(upper, () -> upper.demand.committedTso() == 7L << 60);
            relay.demand().committed(5);
            relay.demand().request();
            await(upper, upper.demand::isRequested);
            assertEquals(7L << 60, upper.demand.committedTso());
        }
    }

    private static void await(TestUpper upper, java.util.function.BooleanSupplier condition) {
        long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(Clock.SYSTEM.nanoTime() < deadline, "nothing happened within a minute");
            upper.receiver.doWork();
            LockSupport.parkNanos(50_000);
        }
    }

    /** Small numbers are in the middle of the first chunks. */
    private static int[] cutPlaces() {
        return IntStream.concat(
                        IntStream.iterate(0, bytes -> bytes < 2000, bytes -> bytes + 83),
                        IntStream.of(20_000, 100_001, 700_000))
                .toArray();
    }

    @Test
    void aConnectionCutAfterAnyNumberOfBytesBreaksTheStreamAndKeepsWhatHasArrived() {
        for (int bytes : cutPlaces()) {
            made.clear();
            try (TransmitServer server = serve(relay(5000));
                    TcpProxy proxy = TcpProxy.to(server.port()).cutAfter(Direction.TO_CLIENT, bytes);
                    TestUpper upper = new TestUpper(proxy.port(), MIB)) {
                List<Token> taken = new ArrayList<>();
                TributaryException failure = assertThrows(TributaryException.class, () -> {
                    while (true) {
                        taken.add(upper.next());
                    }
                });
                assertEquals(ErrorCode.STREAM_BROKEN, failure.code(), failure.getMessage());
                assertTrue(failure.getMessage().contains("from relay r1 at 127.0.0.1"), failure.getMessage());
                taken.forEach(token -> TokenMaker.check(made.remove(), token, INDEXES));
            }
        }
    }

    @Test
    void keepsNothingOfALargePayloadIfTheRelayEndsInTheMiddle() {
        TestRelay relay = new TestRelay(SHARDS, () -> {
            TokenMaker maker = new TokenMaker(SEED, SHARDS, below.appender("below"));
            return counted(1, () -> maker.local(100, MIB));
        });
        TransmitServer server = serve(relay);
        try (TcpProxy proxy = TcpProxy.to(server.port()).cutAfter(Direction.TO_CLIENT, 20 * MIB);
                TestUpper upper = new TestUpper(proxy.port(), MIB)) {
            TributaryException failure = assertThrows(TributaryException.class, upper::next);
            assertEquals(ErrorCode.STREAM_BROKEN, failure.code());
        } finally {
            server.close();
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Cut from = TokenMaker.from(SHARDS);
        Cut other = TokenMaker.from(SHARDS + 1);
        int[] more = {0, 2, 3, 4, 5};
        assertRefused("of this relay, found stream main of cluster c2", new StreamIdentity("c2", "main"), from);
        assertRefused("of this relay, found stream side of cluster c1", new StreamIdentity("c1", "side"), from);
        assertRefused(
                "expected some of the shards [s0, s1, s2, s3] that this relay can read, found [s0, s1, s2, s3, s4] from the"
                        + " Task",
                IDENTITY,
                other,
                more);
        try (TransmitServer server = serve(relay(1));
                TestUpper upper = new TestUpper(server.port(), MIB, IDENTITY, "server.id=8", from, INDEXES)) {
            assertContradiction(
                    "expected the settings of this relay, server.id=7, found server.id=8 from the Task", upper);
        }
    }

    @Test
    void answersAProbeWhileAStreamRuns() {
        TestRelay relay = relay(3);
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), MIB)) {
            upper.take(1);
            probe(server.port(), TokenMaker.from(SHARDS - 1), 0, 2, 3);
            String message = assertThrows(
                            CompletionException.class,
                            () -> probe(server.port(), TokenMaker.from(SHARDS + 1), 0, 2, 3, 4, 5))
                    .getCause()
                    .getMessage();
            assertTrue(
                    message.contains("would refuse the stream: expected some of the shards [s0, s1, s2, s3]"), message);
            upper.take(2);
            assertEquals(1, relay.opened().size(), "a probe opens nothing");
        }
    }

    private static void probe(int port, Cut from, int... indexes) {
        TokenReceiver.Upstream asked =
                upstream(port, IDENTITY, "server.id=7", TokenReceiver.RelayedShards.of(from, indexes));
        try (RelayProbe question = new RelayProbe(TransmitSettings.at(0, MIB), asked)) {
            question.answer().join();
        }
    }

    private void assertRefused(String message, StreamIdentity identity, Cut from) {
        assertRefused(message, identity, from, INDEXES);
    }

    private void assertRefused(String message, StreamIdentity identity, Cut from, int[] indexes) {
        TestRelay relay = relay(1);
        try (TransmitServer server = serve(relay);
                TestUpper upper = new TestUpper(server.port(), MIB, identity, "server.id=7", from, indexes)) {
            assertContradiction(message, upper);
            assertEquals(List.of(), relay.opened());
        }
    }

    private static void assertContradiction(String message, TestUpper upper) {
        TributaryException failure = failureOf(upper);
        assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code());
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
    }

    @Test
    void refusesADumperAtARelayAndATaskAtATask() {
        try (TransmitServer server = serve(relay(1));
                TestDumper dumper = new TestDumper(
                        TransmitSettings.at(server.port(), MIB), IDENTITY, 0, java.util.Optional.empty())) {
            TributaryException failure = assertThrows(TributaryException.class, dumper::next);
            assertTrue(failure.getMessage().contains("transmit.task is the address of a relay"), failure.getMessage());
        }
        TestTask task = new TestTask(1, number -> null);
        try (TransmitServer server =
                        new TransmitServer(TransmitSettings.at(0, MIB), IDENTITY, task, new Metrics(), Clock.SYSTEM);
                TestUpper upper = new TestUpper(server.port(), MIB)) {
            assertContradiction("is the address of a node that is not a relay", upper);
        }
    }

    @Test
    void refusesAGapARepeatAndAnIncompletePayload() {
        assertUnreadable("expected chunk 2, found chunk 3: a gap", 1, 3);
        assertUnreadable("expected chunk 2, found chunk 1: a repeat", 1, 1);
        TokenMaker maker = new TokenMaker(SEED, SHARDS, below.appender("below"));
        assertUnreadable("expected tokens in chunk 1", writer -> List.of(writer.end()));
        assertUnreadable("expected the rest of a payload in chunk 2", writer -> {
            Token token = maker.local(3, 100).token();
            writer.add(token);
            writer.leaveUnfinished();
            TransmitWire.Chunk first = writer.message();
            return List.of(first, writer.message());
        });
        assertUnreadable("more bytes of a payload, found its end", writer -> {
            Token token = maker.local(3, 100).token();
            writer.add(token);
            writer.leaveUnfinished();
            return List.of(writer.message(), writer.end());
        });
        assertUnreadable("expected tokens in chunk 1, found a payload of", writer -> {
            writer.add(maker.local(3, 100).token());
            return List.of(writer.message());
        });
    }

    @Test
    void aChunkThatEndsAtAnyByteIsRefused() {
        TokenMaker maker = new TokenMaker(SEED, SHARDS, below.appender("below"));
        List<Cut.ShardCut> from = TokenMaker.from(SHARDS).shards();
        TokenChunkWriter writer = new TokenChunkWriter(from);
        List<Token> tokens =
                IntStream.range(0, 20).mapToObj(i -> maker.any().token()).toList();
        for (Token token : tokens) {
            writer.add(token);
            if (token.payload() != null) {
                writer.addPayload(token.payload().contiguousView());
            }
        }
        byte[] whole = writer.message().toByteArray();
        tokens.forEach(Token::release);
        for (int end = 0; end < whole.length; end++) {
            int length = end;
            PayloadReader payload = new PayloadReader(above.appender("reader"), TokenMaker.shapes());
            try (TokenChunkReader reader = new TokenChunkReader(from, INDEXES, payload, new RoundRequest())) {
                TributaryException failure = assertThrows(
                        TributaryException.class,
                        () -> {
                            reader.accept(allocator.directBuffer(length).writeBytes(whole, 0, length));
                            for (Token token = reader.next(); token != null; token = reader.next()) {
                                token.release();
                            }
                        },
                        () -> length + " of " + whole.length);
                assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code(), () -> length + " of " + whole.length);
            }
        }
    }

    private void assertUnreadable(String message, long... numbers) {
        assertUnreadable(message, writer -> {
            List<TransmitWire.Chunk> chunks = new ArrayList<>();
            for (long number : numbers) {
                chunks.add(writer.message().toBuilder().setNumber(number).build());
            }
            return chunks;
        });
    }

    private void assertUnreadable(
            String message, java.util.function.Function<TokenChunkWriter, List<TransmitWire.Chunk>> script) {
        List<Cut.ShardCut> from = TokenMaker.from(SHARDS).shards();
        PayloadReader payload = new PayloadReader(above.appender("reader"), TokenMaker.shapes());
        try (TokenChunkReader reader = new TokenChunkReader(from, INDEXES, payload, new RoundRequest())) {
            TributaryException failure = assertThrows(TributaryException.class, () -> {
                for (TransmitWire.Chunk chunk : script.apply(new TokenChunkWriter(from))) {
                    byte[] bytes = chunk.toByteArray();
                    ByteBuf buffer = allocator.directBuffer(bytes.length).writeBytes(bytes);
                    reader.accept(buffer);
                    while (reader.next() != null) {
                        // all of it
                    }
                }
            });
            assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code());
            assertTrue(failure.getMessage().contains(message), failure.getMessage());
        }
    }
}
