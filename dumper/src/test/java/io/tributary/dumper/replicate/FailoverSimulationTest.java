package io.tributary.dumper.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.BinlogReader;
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
 * Dumpers that write, copy, crash and are elected at random, with disks that lose what was not forced: whatever a reader was
 * shown anywhere stays as it was everywhere. Replays with {@code -Dseed=}; more of them with
 * {@code -Druns=}.
 */
class FailoverSimulationTest {
    private static final long FIRST_SEED = 1;
    private static final int RUNS = Integer.getInteger("runs", 16);
    private static final int STEPS = 250;

    @TempDir
    Path folder;

    @Test
    void whatReadersWereShownStaysAsItWasWhoeverLeads() throws Exception {
        Long wanted = Long.getLong("seed");
        long first = wanted == null ? FIRST_SEED : wanted;
        for (long seed = first; seed < first + (wanted == null ? RUNS : 1); seed++) {
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
        private final Map<Integer, byte[]> shown = new HashMap<>(); // by file, what any reader was shown
        private final Map<TestMember, BinlogPlace> compared = new HashMap<>();
        private BinlogPlace shownEnd = BinlogPlace.NONE;
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
                look();
            }
            heal();
        }

        private TestMember any() {
            return members.get(random.nextInt(members.size()));
        }

        /** Who leads under the newest epoch; null for nobody. */
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
                        member.stepDown(); // it hears at last that it was deposed
                    }
                }
                case 4, 5, 6, 7 -> write(member);
                default -> pump(member);
            }
        }

        private void write(TestMember member) throws Exception {
            if (member.leads()) { // one without a lease too: it does not know yet
                member.write(1 + random.nextInt(4));
            }
        }

        /** Lets a member do some of its work. */
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

        /** As many as it takes stand, and the longest log wins. A leader before may go on, and not know of it. */
        private void elect() {
            TestMember before = leader();
            boolean isMove = before != null;
            if (isMove && random.nextInt(3) > 0) {
                return;
            }
            List<TestMember> standing = new ArrayList<>(members);
            standing.removeIf(TestMember::leads); // an old leader does not stand before it knows that it is none
            while (standing.size() > quorum.election() && random.nextBoolean()) {
                standing.remove(random.nextInt(standing.size()));
            }
            if (standing.size() < quorum.election()) {
                return;
            }
            if (isMove) {
                before.hasLease = false;
            }
            standing.forEach(TestMember::stepDown);
            TestMember elected = standing.stream()
                    .max(Comparator.comparing(TestMember::position))
                    .orElseThrow();
            elected.lead(++epoch, quorum.followers(), seed);
        }

        /** I8, and nothing acknowledged is lost: what a member shows is what was shown before, as far as that goes. */
        private void look() throws IOException {
            for (TestMember member : members) {
                if (member.readable().isPresent()) {
                    compare(member, member.readable().get());
                }
            }
        }

        private void compare(TestMember member, BinlogFiles files) throws IOException {
            BinlogPlace from = compared.getOrDefault(member, BinlogPlace.NONE);
            BinlogPlace end = BinlogPlace.of(files.durableEnd());
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

        /** Nothing fails any more: all come to have the same, and readers see it all. */
        private void heal() throws Exception {
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
            BinlogPlace end = BinlogPlace.of(leader.dumper.files().writtenEnd());
            for (int round = 0; round < 3000 && !isHealed(end); round++) {
                pump(members.get(round % members.size()));
                look();
            }
            assertTrue(isHealed(end), "not all came to " + end);
            assertTrue(shownEnd.equals(end), "readers were shown all up to " + end + ", not to " + shownEnd);
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

        private boolean isHealed(BinlogPlace end) {
            return members.stream()
                    .allMatch(member -> member.readable().isPresent()
                            && BinlogPlace.of(member.readable().get().durableEnd())
                                            .compareTo(end)
                                    >= 0);
        }

        @Override
        public void close() {
            members.forEach(TestMember::close);
        }
    }
}
