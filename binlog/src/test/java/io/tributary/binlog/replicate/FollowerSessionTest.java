package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that no follower sends: the leader refuses that follower and continues for all others. */
class FollowerSessionTest {
    private static final int EPOCH = 3;

    private final TestWire wire = new TestWire();
    private TestMember leader;

    @TempDir
    private Path folder;

    @BeforeEach
    void call() throws Exception {
        leader = new TestMember(folder, "leader", 3000);
        leader.lead(EPOCH, 1, 1);
        leader.write(5);
        leader.lead.accept(wire.leaderEnd);
        wire.send(message()
                .setOpen(ReplicateWire.Open.newBuilder()
                        .setVersion(LogIdentity.VERSION)
                        .setCluster("test")
                        .setName("binlog")
                        .setMember("stranger")
                        .setCopy("copy"))
                .build());
        leader.lead.doWork();
        assertTrue(wire.poll().hasWelcome());
    }

    @AfterEach
    void close() {
        leader.close();
    }

    private static FromFollower.Builder message() {
        return FromFollower.newBuilder().setEpoch(EPOCH);
    }

    private BinlogFile newest() {
        return leader.dumper.files().writtenEnd().file();
    }

    private ReplicateWire.Place place(long offset) {
        return ReplicateWire.Place.newBuilder()
                .setFile(newest().number())
                .setOffset(offset)
                .build();
    }

    private void assertRefused(String part) throws Exception {
        leader.lead.doWork();
        TributaryException refused = assertThrows(TributaryException.class, () -> {
            while (wire.poll() != null) {}
        });
        assertEquals(ErrorCode.STREAM_CONTRADICTION, refused.code());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
        leader.write(1);
        leader.lead.doWork();
        assertEquals(0, leader.lead.followers().size());
    }

    @Test
    void anUnreadableFileOfTheLeaderEndsTheLeaderAndNotTheFollower() throws Exception {
        Files.delete(newest().path());
        wire.send(message().setStart(ReplicateWire.Place.getDefaultInstance()).build());
        TributaryException own = assertThrows(TributaryException.class, () -> leader.lead.doWork());
        assertEquals(ErrorCode.IO_FAILED, own.code(), own.getMessage());
        TributaryException received = assertThrows(TributaryException.class, () -> {
            while (wire.poll() != null) {}
        });
        assertEquals(ErrorCode.STREAM_BROKEN, received.code(), received.getMessage());
    }

    @Test
    void aFileInAQuestionIsHeldOnlyUntilTheAnswer() throws Exception {
        leader.dumper.files().requireNoAcknowledgement();
        while (leader.dumper.files().list().size() < 3) {
            leader.write(5);
        }
        wire.send(message()
                .setQuestion(ReplicateWire.Question.newBuilder()
                        .setPlace(ReplicateWire.Place.newBuilder().setFile(1).setOffset(100)))
                .build());
        leader.lead.doWork();
        assertEquals(2, leader.dumper.files().purgeTo(newest().name()).purged().size());
    }

    @Test
    void aStartAfterTheEndOfAFileIsRefused() throws Exception {
        long end = newest().written();
        wire.send(message().setStart(place(end + 1)).build());
        assertRefused(":" + (end + 1));
    }

    @Test
    void anImpossiblePlaceIsRefused() throws Exception {
        wire.send(message()
                .setQuestion(ReplicateWire.Question.newBuilder().setPlace(place(-1)))
                .build());
        assertRefused(":18446744073709551615");
    }

    @Test
    void aSecondQuestionBeforeTheAnswerIsRefused() throws Exception {
        ReplicateWire.Question question =
                ReplicateWire.Question.newBuilder().setPlace(place(100)).build();
        wire.send(message().setQuestion(question).build());
        wire.send(message().setQuestion(question).build());
        assertRefused("one question at a time");
    }
}
