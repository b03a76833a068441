package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Payloads of packets from clients: read, or rejected as a violation of the protocol. bin/fuzz lets Jazzer search for more. */
class PacketFuzzTest {
    private static final int ROUNDS = 20_000;

    private static void readOrRefuse(byte[] payload, Consumer<ByteBuf> reader) {
        ByteBuf packet = Unpooled.wrappedBuffer(payload);
        try {
            reader.accept(packet);
        } catch (TributaryException refusal) {
            assertTrue(
                    refusal.code() == ErrorCode.PROTOCOL_VIOLATED || refusal.code() == ErrorCode.GTID_SET_MALFORMED,
                    refusal.line());
            assertTrue(refusal.getMessage().contains("expected "), refusal.getMessage());
        }
    }

    @FuzzTest(maxDuration = "60s")
    void handshakeResponse(byte[] payload) {
        for (int offered : new int[] {-1, ServerLogin.OFFERED}) {
            readOrRefuse(payload, packet -> {
                ClientHello hello = ClientHello.read(packet, offered);
                assertTrue(hello.user().length() <= 128 && hello.proof().length <= payload.length);
            });
        }
    }

    @FuzzTest(maxDuration = "60s")
    void binlogDump(byte[] payload) {
        readOrRefuse(payload, packet -> {
            DumpRequest request = DumpRequest.readByPosition(packet);
            assertTrue(request.position() >= 4 && request.file().indexOf('\0') < 0);
        });
    }

    @FuzzTest(maxDuration = "60s")
    void binlogDumpGtid(byte[] payload) {
        readOrRefuse(payload, packet -> {
            DumpRequest request = DumpRequest.readByGtid(packet);
            assertTrue(request.position() >= 4 && request.file().indexOf('\0') < 0);
            var set = request.gtids().orElseThrow();
            assertEquals(set, io.tributary.common.gtid.GtidSet.decode(set.encode()));
        });
    }

    @FuzzTest(maxDuration = "60s")
    void registration(byte[] payload) {
        readOrRefuse(payload, ReplicaRegistration::read);
    }

    @Test
    void changedPacketsAreReadOrRejected() {
        Corpus.of(PacketFuzzTest.class, "handshakeResponse").mutate(1, ROUNDS, this::handshakeResponse);
        Corpus.of(PacketFuzzTest.class, "binlogDump").mutate(2, ROUNDS, this::binlogDump);
        Corpus.of(PacketFuzzTest.class, "binlogDumpGtid").mutate(3, ROUNDS, this::binlogDumpGtid);
        Corpus.of(PacketFuzzTest.class, "registration").mutate(4, ROUNDS, this::registration);
    }
}
