package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.BinlogReader;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Dumpers write, copy, crash and are elected at random, with disks that lose unsynced bytes. What any reader has read must stay the same on
 * all Dumpers. Replay with {@code -Dseed=}; more runs with {@code -Druns=}.
 */
class FailoverSimulationTest {
    private static final long FIRST_SEED = 1;
    private static final int RUNS = Integer.getInteger("runs", 16);
    private static final int STEPS = 250;

    @TempDir
    Path folder;

    @Test
    void whatReadersHaveReadStaysTheSameUnderAnyLeader() throws Exception {
        Long configuredSeed = Long.getLong("seed");
        long first = configuredSeed == null ? FIRST_SEED : configuredSeed;
        for (long seed = first; seed < first + (configuredSeed == null ? RUNS : 1); seed++) {
            try (Cluster cluster = new Cluster(folder.resolve("run-" + seed), seed)) {
                cluster.run();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("replay with -Dseed=" + seed + ": " + e, e);
            }
        }
    }

    private static final class Cluster implements AutoCloseable {
        private final Random random;
        private final Quorum quorum;
        private final List<TestMember> members = new ArrayList<>();
        private final Map<Integer, byte[]> shown = new HashMap<>(); // by file: the bytes that any reader may have read
        private final Map<TestMember, FileOffset> compared = new HashMap<>();
        private FileOffset shownEnd = FileOffset.NONE;
        private long epoch;
        private final long seed;

        Cluster(Path folder, long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            int count = 2 + random.nextInt(4);
            Acknowledgement ack = random.nextBoolean() ? Acknowledgement.ONE : Acknowledgement.MAJORITY;
            this.quorum = new Quorum(count, ack);
            int chunk = 100 + random.nextInt(5000);
            for (int i = 0; i < count; i++) {
                members.add(new TestMember(folder, "m" + i, chunk));
            }
        }

        void run() throws Exception {
            for (int step = 0; step < STEPS; step++) {
                step();
                check();
            }
            recover();
        }

        private TestMember any() {
            return members.get(random.nextInt(members.size()));
        }

        /** The leader of the newest epoch; null for none. */
        private TestMember leader() {
            return members.stream()
                    .filter(member -> member.leads() && member.hasLease)
                    .findFirst()
                    .orElse(null);
        }

        private void step() throws Exception {
            TestMember member = any();
            switch (random.nextInt(16)) {
                case 0 -> {
                    member.crash(random);
                    compared.remove(member);
                }
                case 1 -> {
                    if (member.wire != null) {
                        member.wire.cut();
                    }
                }
                case 2 -> elect();
                case 3 -> {
                    if (member.leads() && !member.hasLease) {
                        member.stepDown(); // it learns that it was superseded
                    }
                }
                case 4, 5, 6, 7 -> write(member);
                default -> pump(member);
            }
        }

        private void write(TestMember member) throws Exception {
            if (member.leads()) { // also one without a lease, which does not know it yet
                member.write(1 + random.nextInt(4));
            }
        }

        /** Lets a member do a part of its work. */
        private void pump(TestMember member) throws IOException {
            member.clock.advanceMillis(random.nextInt(400));
            TestMember leader = leader();
            if (member.follow == null && !member.leads() && leader != null && leader != member) {
                member.follow(leader, random.nextBoolean() ? epoch : 0);
            }
            try {
                for (int i = random.nextInt(6); i >= 0; i--) {
                    if (member.leads()) {
                        member.lead.doWork();
                    } else if (member.follow != null) {
                        member.follow.doWork();
                    }
                }
            } catch (TributaryException e) {
                if (e.code().severity() != Severity.RETRY) {
                    throw e;
                }
                if (member.leads()) {
                    assertEquals(ErrorCode.EPOCH_OVER, e.code());
                    member.stepDown();
                } else {
                    member.endFollowing();
                }
            }
        }

        /** A quorum of members are candidates, and the longest log wins. The leader before may continue without knowing it. */
        private void elect() {
            TestMember before = leader();
            boolean isMove = before != null;
            if (isMove && random.nextInt(3) > 0) {
                return;
            }
            List<TestMember> candidates = new ArrayList<>(members);
            candidates.removeIf(TestMember::leads); // an old leader is a candidate only after it was superseded
            while (candidates.size() > quorum.election() && random.nextBoolean()) {
                candidates.remove(random.nextInt(candidates.size()));
            }
            if (candidates.size() < quorum.election()) {
                return;
            }
            if (isMove) {
                before.hasLease = false;
            }
            candidates.forEach(TestMember::stepDown);
            TestMember elected = candidates.stream()
                    .max(Comparator.comparing(TestMember::position))
                    .orElseThrow();
            elected.lead(++epoch, quorum.followers(), seed);
        }

        /** Invariant I8: nothing acknowledged is lost. What a member lets readers read equals what was readable before, as far as that goes. */
        private void check() throws IOException {
            for (TestMember member : members) {
                if (member.readable().isPresent()) {
                    compare(member, member.readable().get());
                }
            }
        }

        private void compare(TestMember member, BinlogFiles files) throws IOException {
            FileOffset from = compared.getOrDefault(member, FileOffset.NONE);
            FileOffset end = FileOffset.of(files.durableEnd());
            if (end.compareTo(from) <= 0) {
                return;
            }
            for (BinlogFile file : files.list()) {
                if (file.number() >= from.file()) {
                    compare(member, file);
                }
            }
            compared.put(member, end);
            shownEnd = end.compareTo(shownEnd) > 0 ? end : shownEnd;
        }

        private void compare(TestMember member, BinlogFile file) throws IOException {
            byte[] now = bytes(file);
            byte[] before = shown.getOrDefault(file.number(), new byte[0]);
            int both = Math.min(now.length, before.length);
            for (int i = 0; i < both; i++) {
                assertEquals(before[i], now[i], member.name + " shows other bytes in " + file + " at " + i);
            }
            assertTrue(
                    !file.isFinished() || before.length <= now.length,
                    member.name + " ends " + file + " at " + now.length + ", it was shown to " + before.length);
            if (now.length > before.length) {
                shown.put(file.number(), now);
            }
        }

        private static byte[] bytes(BinlogFile file) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.end());
            try (FileChannel channel = file.open()) {
                while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {}
            }
            assertEquals(bytes.capacity(), bytes.position(), file + " is shorter than it may be read");
            return bytes.array();
        }

        /** After this, nothing fails any more: all members get the same files, and readers can read everything. */
        private void recover() throws Exception {
            while (leader() == null) {
                members.stream()
                        .filter(member -> member.leads() && !member.hasLease)
                        .forEach(TestMember::stepDown);
                elect();
            }
            TestMember leader = leader();
            members.stream()
                    .filter(member -> member != leader && member.leads())
                    .forEach(TestMember::stepDown);
            write(leader);
            FileOffset end = FileOffset.of(leader.dumper.files().writtenEnd());
            for (int round = 0; round < 3000 && !isRecovered(end); round++) {
                pump(members.get(round % members.size()));
                check();
            }
            assertTrue(isRecovered(end), "not all members reached " + end);
            assertTrue(shownEnd.equals(end), "expected readers to read up to " + end + ", found " + shownEnd);
            Path original = leader.folder();
            members.forEach(TestMember::close);
            for (TestMember member : members) {
                for (String line : Files.readAllLines(original.resolve("binlog.index"))) {
                    long mismatch = Files.mismatch(
                            original.resolve(line), member.folder().resolve(line));
                    assertEquals(-1, mismatch, member.name + " differs from the leader in " + line);
                }
                BinlogReader.read(member.folder());
            }
        }

        private boolean isRecovered(FileOffset end) {
            return members.stream()
                    .allMatch(member -> member.readable().isPresent()
                            && FileOffset.of(member.readable().get().durableEnd())
                                            .compareTo(end)
                                    >= 0);
        }

        @Override
        public void close() {
            members.forEach(TestMember::close);
        }
    }
}
