package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.common.Corpus;
import io.tributary.common.error.TributaryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged messages of followers: the leader refuses the call or answers, and continues to lead the others. */
class FollowerFuzzTest {
    private static final int ROUNDS = 5000;
    private static final int EPOCH = 3;
    private static final int TURNS = 20;

    @TempDir
    private static Path folder;

    private static TestMember leader;

    @BeforeAll
    static void lead() throws Exception {
        leader = new TestMember(folder, "leader", 3000);
        leader.lead(EPOCH, 1, 1);
        for (int i = 0; i < 20; i++) {
            leader.write(5);
        }
    }

    @AfterAll
    static void close() {
        leader.close();
    }

    /**
     * Makes a call.
     *
     * @param call messages of one call, each after its length as a varint
     */
    @FuzzTest(maxDuration = "60s")
    void calls(byte[] call) {
        TestWire wire = new TestWire();
        leader.lead.accept(wire.leaderEnd);
        messages(call).forEach(wire::send);
        for (int i = 0; i < TURNS; i++) {
            leader.lead.doWork();
            drain(wire);
        }
        FileOffset written = FileOffset.of(leader.dumper.files().writtenEnd());
        FileOffset durable = FileOffset.of(leader.dumper.files().durableEnd());
        assertTrue(durable.compareTo(written) <= 0, () -> durable + " after " + written);
        wire.cut();
        leader.lead.doWork();
        assertEquals(0, leader.lead.followers().size());
    }

    private static List<FromFollower> messages(byte[] call) {
        List<FromFollower> messages = new ArrayList<>();
        ByteArrayInputStream bytes = new ByteArrayInputStream(call);
        try {
            while (bytes.available() > 0) {
                messages.add(FromFollower.parseDelimitedFrom(bytes));
            }
        } catch (IOException end) { // gRPC refuses invalid messages
            assertFalse(messages.contains(null));
        }
        return messages;
    }

    private static void drain(TestWire wire) {
        try {
            while (wire.poll() != null) {}
        } catch (TributaryException refused) {
            assertTrue(FollowerChannel.CODES.contains(refused.code()), refused::line);
        }
    }

    @Test
    void changedCallsAreRefusedOrAnswered() {
        Corpus.of(FollowerFuzzTest.class, "calls").mutate(1, ROUNDS, this::calls);
    }
}
