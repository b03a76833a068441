package io.tributary.mysql.protocol.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.Unpooled;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.AuthMethod;
import org.junit.jupiter.api.Test;

/** The first packet of a server, valid or not: read, or rejected. bin/fuzz lets Jazzer search for more. */
class GreetingFuzzTest {
    private static final int ROUNDS = 20_000;

    @FuzzTest(maxDuration = "60s")
    void greeting(byte[] payload) {
        try {
            ServerGreeting greeting = ServerGreeting.read(Unpooled.wrappedBuffer(payload));
            assertEquals(AuthMethod.NONCE_LENGTH, greeting.nonce().length);
            assertTrue(greeting.version().length() + greeting.pluginName().length() <= payload.length);
        } catch (TributaryException refusal) {
            assertEquals(ErrorCode.PROTOCOL_VIOLATED, refusal.code());
        }
    }

    @Test
    void changedGreetingsAreReadOrRejected() {
        Corpus.of(GreetingFuzzTest.class, "greeting").mutate(5, ROUNDS, this::greeting);
    }
}
