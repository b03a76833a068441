package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.CopyWriter;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.alert.AlertCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowTest {
    @TempDir
    Path folder;

    private TestMember first;
    private TestMember second;

    @BeforeEach
    void make() {
        first = new TestMember(folder, "first", 1000);
        second = new TestMember(folder, "second", 1000);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static void pump(TestMember leader, TestMember follower) throws IOException {
        for (int i = 0; i < 60; i++) {
            leader.clock.advanceMillis(300);
            leader.lead.doWork();
            follower.follow.doWork();
        }
    }

    private static TributaryException fails(TestMember leader, TestMember follower) {
        return assertThrows(TributaryException.class, () -> pump(leader, follower));
    }

    private static FileOffset shown(BinlogFiles files) {
        return FileOffset.of(files.durableEnd());
    }

    private static void assertSame(TestMember one, TestMember other) throws IOException {
        List<String> names = Files.readAllLines(one.folder().resolve("binlog.index"));
        assertEquals(names, Files.readAllLines(other.folder().resolve("binlog.index")));
        for (String name : names) {
            assertEquals(
                    -1,
                    Files.mismatch(one.folder().resolve(name), other.folder().resolve(name)),
                    name);
        }
    }

    @Test
    void readersSeeWhatAFollowerHasOnItsDisk() throws Exception {
        first.lead(1, 1, 1);
        BinlogFiles files = first.dumper.files();
        first.write(10);
        assertFalse(files.isReadable(), "it is unknown what was acknowledged before");
        second.follow(first, 1);
        pump(first, second);
        assertEquals(FileOffset.of(files.writtenEnd()), shown(files));
        assertEquals(files.executed(), second.readable().orElseThrow().executed());
        FileOffset before = shown(files);
        second.endFollowing();
        first.lead.doWork();
        for (int i = 0; i < 40; i++) {
            first.write(5);
            first.lead.doWork();
        }
        assertEquals(before, shown(files));
        assertEquals(before.file(), files.list().get(files.list().size() - 1).number());
        assertTrue(files.written().size() > files.list().size(), "writing continues, over several files");
        assertTrue(first.lead.waitingBytes() > 10_000);
        assertTrue(files.find(files.writtenEnd().file().name()).isEmpty(), "readers do not see it");
        second.follow(first, 1);
        pump(first, second);
        assertEquals(FileOffset.of(files.writtenEnd()), shown(files));
        assertEquals(0, first.lead.waitingBytes());
        assertSame(first, second);
    }

    private static long bytes(TestMember member) throws IOException {
        long bytes = 0;
        for (String name : Files.readAllLines(member.folder().resolve("binlog.index"))) {
            bytes += Files.size(member.folder().resolve(name));
        }
        return bytes;
    }

    private static void assertNear(long expected, long found, long most) {
        assertTrue(Math.abs(expected - found) <= most, () -> "expected about " + expected + ", found " + found);
    }

    /** It copies slower than the leader writes, and is several files behind. */
    @Test
    void anAlertFiresWhenAFollowerIsFarBehind() throws Exception {
        first.lead(1, 1, 1);
        first.write(10);
        second.follow(first, 1);
        pump(first, second);
        assertEquals(0, second.log.behindBytes());
        AlertCheck alert = new AlertCheck(folder.resolve("alert"))
                .with("256 * 1024 * 1024", "20000")
                .shows(second.shown(), Duration.ofMinutes(10))
                .fault();
        second.endFollowing();
        for (int i = 0; i < 60; i++) {
            first.write(5);
        }
        assertTrue(bytes(first) - bytes(second) > 40_000, "several files of 6000 bytes");
        second.follow(first, 1);
        for (int i = 0; i < 3; i++) {
            second.follow.doWork();
            first.lead.doWork();
        }
        second.follow.doWork();
        long lacks = bytes(first) - bytes(second);
        assertNear(lacks, second.log.behindBytes(), lacks / 20); // what is not synced yet counts too
        alert.shows(second.shown(), Duration.ofMinutes(10)).assertFires("TributaryFollowerBehind");

        for (int i = 0; i < 20; i++) {
            first.write(5); // files that the follower does not know count too
        }
        first.clock.advanceMillis(3000);
        first.lead.doWork();
        second.follow.doWork();
        long more = bytes(first) - bytes(second);
        assertNear(more, second.log.behindBytes(), more / 10);
        pump(first, second);
        assertEquals(0, second.log.behindBytes());
    }

    @Test
    void measuresHowLongTooFewFollowersHaveSentAnything() throws Exception {
        first.lead(1, 1, 1);
        first.clock.advanceMillis(3000);
        assertEquals(3000, first.lead.silentNanos() / 1_000_000, "no follower has connected yet");
        second.follow(first, 1);
        pump(first, second);
        assertTrue(first.lead.silentNanos() < 1_000_000_000, () -> "silent for " + first.lead.silentNanos());
        first.lead.doWork(); // its last message
        long before = first.lead.silentNanos();
        for (int i = 0; i < 20; i++) { // it has stopped, and its call is open
            first.clock.advanceMillis(300);
            first.lead.doWork();
        }
        assertEquals(before / 1_000_000 + 6000, first.lead.silentNanos() / 1_000_000);
        pump(first, second);
        assertTrue(first.lead.silentNanos() < 1_000_000_000, () -> "silent for " + first.lead.silentNanos());
    }

    @Test
    void knowsWhenItsLeaderSentItsLastMessage() throws Exception {
        first.lead(1, 1, 1);
        second.follow(first, 1);
        assertTrue(second.log.confirmedNanos().isEmpty());
        pump(first, second);
        long received = second.log.confirmedNanos().orElseThrow();
        second.clock.advanceMillis(5000);
        second.follow.doWork(); // nothing has been received
        assertEquals(received, second.log.confirmedNanos().orElseThrow());
        pump(first, second);
        assertTrue(second.log.confirmedNanos().orElseThrow() >= received + 5_000_000_000L);
    }

    @Test
    void theUnacknowledgedTailIsTruncatedUnderANewerEpoch() throws Exception {
        first.lead(1, 1, 1);
        first.write(30);
        second.follow(first, 1);
        pump(first, second);
        second.stepDown();
        for (int i = 0; i < 30; i++) {
            first.write(5); // over several files
        }
        first.stepDown();
        second.lead(2, 1, 1);
        second.write(3);
        first.follow(second, 2);
        pump(second, first);
        assertEquals(1, first.log.cutOffs().value());
        assertSame(second, first);
        assertEquals(
                FileOffset.of(second.dumper.files().writtenEnd()),
                shown(first.readable().orElseThrow()));
    }

    @Test
    void aNewerLeaderThatLacksWhatWasAcknowledgedIsNotFollowed() throws Exception {
        first.lead(1, 1, 1);
        first.write(30);
        second.follow(first, 1);
        pump(first, second);
        FileOffset acknowledged = shown(first.dumper.files());
        first.stepDown();
        second.closeReaders(acknowledged);
        try (TestMember third = new TestMember(folder, "third", 1000)) {
            third.lead(2, 1, 1);
            third.write(3);
            second.follow(third, 2);
            TributaryException failure = fails(third, second);
            assertEquals(ErrorCode.FOLLOWER_DIVERGED, failure.code(), failure.getMessage());
            assertTrue(failure.getMessage().contains("acknowledged up to " + acknowledged), failure.getMessage());
        }
        assertSame(first, second);
    }

    @Test
    void twoThatWroteUnderOneEpochStopAndKeepTheirFiles() throws Exception {
        first.lead(1, 0, 1);
        first.write(20);
        first.stepDown();
        second.lead(1, 0, 2);
        second.write(20);
        first.follow(second, 1);
        long size = Files.size(first.folder().resolve("binlog.000001"));
        TributaryException failure = fails(second, first);
        assertEquals(ErrorCode.FOLLOWER_DIVERGED, failure.code(), failure.getMessage());
        assertEquals(size, Files.size(first.folder().resolve("binlog.000001")));
    }

    @Test
    void aLeaderThatHasLessThanItsFollowerIsNotFollowed() throws Exception {
        first.lead(1, 1, 1);
        first.write(20);
        second.follow(first, 1);
        pump(first, second);
        first.stepDown();
        second.stepDown();
        Path file = first.folder().resolve("binlog.000001");
        byte[] bytes = Files.readAllBytes(file);
        second.lead(2, 0, 1);
        second.stepDown();
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 10)); // its disk has lost synced bytes
        first.lead(2, 1, 1);
        second.follow(first, 2);
        TributaryException failure = fails(first, second);
        assertEquals(ErrorCode.FOLLOWER_DIVERGED, failure.code(), failure.getMessage());
    }

    @Test
    void aFollowerReportsThatItsNextFileIsPurged() throws Exception {
        first.lead(1, 0, 1);
        first.dumper.files().requireNoAcknowledgement();
        first.write(5);
        second.follow(first, 1);
        pump(first, second);
        second.endFollowing();
        for (int i = 0; i < 60; i++) {
            first.write(5);
        }
        first.lead.doWork();
        BinlogFiles files = first.dumper.files();
        files.purgeTo(files.durableEnd().file().name());
        second.follow(first, 1);
        TributaryException failure = fails(first, second);
        assertEquals(ErrorCode.FOLLOWER_BEHIND, failure.code(), failure.getMessage());
    }

    @Test
    void whatAFollowerNeedsIsNotPurged() throws Exception {
        first.lead(1, 0, 1);
        first.dumper.files().requireNoAcknowledgement();
        for (int i = 0; i < 60; i++) {
            first.write(5);
        }
        second.follow(first, 1);
        for (int i = 0; i < 4; i++) { // far enough to begin, not to end
            first.lead.doWork();
            second.follow.doWork();
        }
        BinlogFiles files = first.dumper.files();
        assertTrue(files.purgeTo(files.durableEnd().file().name()).held().isPresent());
        pump(first, second);
        assertEquals(FileOffset.of(files.writtenEnd()), second.follow == null ? null : durable(second));
    }

    @Test
    void whatAReaderOfTheLeaderNeedsIsNotPurgedAtItsFollower() throws Exception {
        first.lead(1, 1, 1);
        for (int i = 0; i < 60; i++) {
            first.write(5);
        }
        second.follow(first, 1);
        pump(first, second);
        BinlogFile slow = first.dumper.files().first();
        assertTrue(first.dumper.files().hold(slow));
        pump(first, second);
        BinlogFiles copies = second.log.files().orElseThrow();
        String last = copies.durableEnd().file().name();
        assertEquals(Optional.of(slow.name()), copies.purgeTo(last).held());
        second.endFollowing(); // the leader has failed, and its reader will connect to this node
        second.clock.advanceMillis(9 * 60_000);
        assertEquals(Optional.of(slow.name()), copies.purgeTo(last).held());
        second.clock.advanceMillis(60_000);
        assertEquals(Optional.empty(), copies.purgeTo(last).held());
        assertEquals(last, copies.first().name());
    }

    private static FileOffset durable(TestMember member) {
        return new FileOffset(
                member.log.position().file(), member.log.position().offset());
    }

    @Test
    void anOldLeaderAndANewFollowerRefuseEachOther() throws Exception {
        first.lead(1, 1, 1);
        first.write(5);
        second.follow(first, 2);
        TributaryException failure = fails(first, second);
        assertEquals(ErrorCode.EPOCH_OVER, failure.code(), failure.getMessage());
    }

    @Test
    void aLeaderWithoutALeaseLetsReadersReadNothingMore() throws Exception {
        first.lead(1, 1, 1);
        first.write(5);
        second.follow(first, 1);
        pump(first, second);
        FileOffset before = shown(first.dumper.files());
        first.hasLease = false;
        first.write(5);
        TributaryException failure = fails(first, second);
        assertEquals(ErrorCode.EPOCH_OVER, failure.code(), failure.getMessage());
        assertEquals(before, shown(first.dumper.files()));
    }

    @Test
    void damagedBytesAreFoundBeforeTheyCount() throws Exception {
        first.lead(1, 0, 1);
        first.write(20);
        first.stepDown();
        byte[] bytes = Files.readAllBytes(first.folder().resolve("binlog.000001"));
        for (int at : new int[] {3, 60, bytes.length / 2, bytes.length - 1}) {
            TestMember third = new TestMember(folder, "third-" + at, 1000);
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            try (BinlogDirectory directory = BinlogDirectory.open(third.settings.config(), Clock.SYSTEM)) {
                CopiedFiles nothing = Recovery.runForCopies(directory, third.settings.config(), Clock.SYSTEM);
                try (CopyWriter writer =
                        new CopyWriter(BinlogDisk.of(directory, third.settings.config(), third.clock), nothing)) {
                    writer.write(1, 0, ByteBuffer.wrap(damaged));
                    TributaryException failure = assertThrows(
                            TributaryException.class, () -> writer.syncAndVerify(true), "flipped at " + at);
                    assertEquals(ErrorCode.BINLOG_CORRUPT, failure.code());
                    assertTrue(writer.durable().offset() <= at, "bytes before the damage may count");
                }
            }
        }
    }

    @Test
    void aLeaderWhoseOwnFileIsDamagedEndsAndItsFollowerDoesNot() throws Exception {
        first.lead(1, 0, 1);
        first.write(3);
        long damagedAt = Files.size(first.folder().resolve("binlog.000001")) + 50;
        first.write(3);
        Path file = first.folder().resolve("binlog.000001");
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) damagedAt] ^= 1;
        Files.write(file, bytes);
        second.follow(first, 1);
        TributaryException seen = fails(first, second);
        assertEquals(ErrorCode.STREAM_BROKEN, seen.code(), seen.getMessage());
        assertTrue(seen.getMessage().contains("expected valid events from the leader"), seen.getMessage());
        second.follow(first, 1);
        TributaryException own = fails(first, second);
        assertEquals(ErrorCode.BINLOG_CORRUPT, own.code(), own.getMessage());
        assertTrue(own.getMessage().contains(file.toString()), own.getMessage());
        assertEquals(
                ErrorCode.STREAM_BROKEN,
                assertThrows(TributaryException.class, () -> second.follow.doWork())
                        .code());
    }

    @Test
    void aFileBegunWhenTheCallBrokeIsRemoved() throws Exception {
        first.lead(1, 1, 1);
        first.write(10);
        second.follow(first, 1);
        pump(first, second);
        second.stepDown();
        Path begun = second.folder().resolve("binlog.000002"); // more than a head, and not listed before its first cut
        Files.write(begun, Arrays.copyOf(Files.readAllBytes(second.folder().resolve("binlog.000001")), 700));
        second.follow(first, 1);
        pump(first, second);
        assertFalse(Files.exists(begun.resolveSibling("binlog.000002.damaged")));
        assertSame(first, second);
    }

    @Test
    void bytesThatAreNotTheNextOnesAreRefused() throws Exception {
        first.lead(1, 0, 1);
        first.write(20);
        first.stepDown();
        byte[] bytes = Files.readAllBytes(first.folder().resolve("binlog.000001"));
        try (BinlogDirectory directory = BinlogDirectory.open(second.settings.config(), Clock.SYSTEM)) {
            CopiedFiles nothing = Recovery.runForCopies(directory, second.settings.config(), Clock.SYSTEM);
            try (CopyWriter writer =
                    new CopyWriter(BinlogDisk.of(directory, second.settings.config(), second.clock), nothing)) {
                writer.write(1, 0, ByteBuffer.wrap(bytes, 0, 500));
                for (int[] wrong : new int[][] {{1, 499}, {1, 501}, {2, 0}, {1, 0}, {3, 500}}) {
                    TributaryException failure = assertThrows(
                            TributaryException.class,
                            () -> writer.write(wrong[0], wrong[1], ByteBuffer.wrap(bytes, 500, 9)));
                    assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code());
                }
                writer.write(1, 500, ByteBuffer.wrap(bytes, 500, bytes.length - 500));
                assertTrue(writer.syncAndVerify(true));
                assertEquals(new FileOffset(1, bytes.length), writer.durable());
            }
        }
    }
}
