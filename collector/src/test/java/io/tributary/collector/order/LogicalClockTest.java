package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The output's logical clock for local transactions and DDL; distributed ones are in {@link ScheduleCheck}. */
class LogicalClockTest {
    private static final int SHARDS = 3;

    private record Past(String file, long sequence, long number) {}

    @Test
    void dependsOnTheNewestOfItsShardUpToTheSourcesLastCommitted() {
        SplittableRandom random = new SplittableRandom(5);
        for (int run = 0; run < 50; run++) {
            LogicalClock clock = new LogicalClock(SHARDS, 10, true);
            List<List<Past>> pasts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            long[] sequences = new long[SHARDS];
            int[] files = new int[SHARDS];
            long floor = 10;
            Tokens[] tokens = {new Tokens(0), new Tokens(1), new Tokens(2)};
            for (long number = 11; number < 500; number++) {
                int shard = random.nextInt(SHARDS);
                if (random.nextInt(100) == 0) {
                    assertEquals(number - 1, clock.ddl(number));
                    floor = number;
                    continue;
                }
                if (random.nextInt(60) == 0) {
                    tokens[shard].rotate("binlog." + ++files[shard]);
                    sequences[shard] = 0;
                }
                long sequence = ++sequences[shard];
                long lastCommitted = Math.max(0, sequence - 1 - random.nextInt(20));
                var token = tokens[shard].local(lastCommitted, null);
                long expected = floor;
                for (Past past : pasts.get(shard)) {
                    boolean counts = !past.file().equals(token.file()) || past.sequence() <= lastCommitted;
                    expected = counts ? Math.max(expected, past.number()) : expected;
                }
                assertEquals(expected, clock.local(token, number));
                pasts.get(shard).add(new Past(token.file(), sequence, number));
            }
        }
    }

    @Test
    void returnsALaterDependencyForOverwrittenEntries() {
        LogicalClock clock = new LogicalClock(1, 0, true);
        Tokens tokens = new Tokens(0);
        for (long number = 1; number <= 5000; number++) {
            clock.local(tokens.local(number - 1, null), number);
        }
        long depends = clock.local(tokens.local(3, null), 5001);
        assertTrue(depends >= 3 && depends < 4500, "3 or a little more than that: " + depends);
    }

    /** The result of a search from the start, for near and distant bounds, before and after entries are lost. */
    @Test
    void findsTheNewestTransactionUpToAnyBound() {
        long seed = 20261123;
        SplittableRandom random = new SplittableRandom(seed);
        SourceClock clock = new SourceClock();
        List<Long> sources = new ArrayList<>();
        long source = 0;
        for (long output = 1; output <= 3000; output++) {
            source += 1 + random.nextInt(3);
            clock.add("f", source, output);
            sources.add(source);
            long bound = source - (random.nextBoolean() ? random.nextInt(4) : random.nextInt(6000));
            long remembered = Math.max(0, output - 1024);
            long expected = remembered;
            for (long entry = remembered; entry < output && sources.get((int) entry) <= bound; entry++) {
                expected = entry + 1;
            }
            assertEquals(expected, clock.dependency("f", bound, source + 1), "seed " + seed + ", output " + output);
        }
    }

    @Test
    void aSourceWithoutAClockAllowsNothingOnItsShard() {
        SourceClock clock = new SourceClock();
        clock.add("f", 0, 7);
        clock.add("f", 0, 9);
        assertEquals(9, clock.dependency("f", 0, 0));
    }

    @Test
    void allowsNothingWhenDisabled() {
        LogicalClock clock = new LogicalClock(2, 0, false);
        assertEquals(0, clock.local(new Tokens(0).local(0, null), 1));
        assertEquals(1, clock.local(new Tokens(1).local(0, null), 2));
        assertEquals(2, clock.ddl(3));
    }

    @Test
    void everythingAfterADdlDependsOnIt() {
        LogicalClock clock = new LogicalClock(2, 0, true);
        Tokens tokens = new Tokens(0);
        assertEquals(0, clock.local(tokens.local(0, null), 1));
        assertEquals(1, clock.ddl(2));
        assertEquals(2, clock.local(tokens.local(0, null), 3));
        assertEquals(2, clock.local(new Tokens(1).local(0, null), 4));
    }

    @Test
    void nothingRunsInParallelWithACorrection() {
        LogicalClock clock = new LogicalClock(2, 0, true);
        assertEquals(0, clock.local(new Tokens(1).local(0, null), 1));
        LoggedTransaction correction = new LoggedTransaction(
                Sid.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562"), 1, "", 0, 5, LoggedTransaction.ALONE, 0);
        Token token = new Token(0, 1, 0, correction, new TokenBody.LocalTransaction(null, List.of()));
        assertEquals(1, clock.local(token, 2));
        assertEquals(2, clock.local(new Tokens(1).local(0, null), 3));
    }
}
