package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.alert.AlertCheck;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitTimesTest {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private final Metrics metrics = new Metrics();
    private long nowMicros = START_MICROS;
    private final CommitTimes times = new CommitTimes(
            new Clock() {
                @Override
                public long nanoTime() {
                    return 0;
                }

                @Override
                public long epochMicros() {
                    return nowMicros;
                }
            },
            metrics);

    private double value(String ending) {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals("tributary.served.delay.seconds." + ending))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void aGroupIsMeasuredWhenItsLastTransactionIsReadable() {
        times.durable(10, START_MICROS - 1_000_000);
        times.durable(20, START_MICROS - 500_000);
        times.readable(9);
        assertEquals(0, value("count"));
        nowMicros += 2_000_000;
        times.readable(10);
        assertEquals(1, value("count"));
        assertEquals(3, value("sum"), 1e-6);
        times.readable(25);
        assertEquals(2, value("count"));
        assertEquals(5.5, value("sum"), 1e-6);
    }

    /** Followers acknowledge later and later: each group of transactions waits for 12 seconds. */
    @Test
    void anAlertFiresWhenReadersGetTransactionsLate(@TempDir Path folder) throws Exception {
        AlertCheck alert = new AlertCheck(folder);
        for (int minute = 0; minute < 20; minute++) {
            if (minute == 10) {
                alert.fault();
            }
            times.durable(minute, nowMicros);
            nowMicros += minute < 10 ? 20_000 : 12_000_000;
            times.readable(minute);
            alert.shows(metrics.scrape(), Duration.ofMinutes(1));
        }
        alert.assertFires("TributaryServedLate");
    }

    @Test
    void aGroupWithoutACommitTimeIsNotMeasured() {
        times.durable(10, 0);
        times.readable(10);
        assertEquals(0, value("count"));
    }

    @Test
    void aClockBehindTheShardCountsAsNoDelay() {
        times.durable(1, START_MICROS + 5_000_000);
        times.readable(1);
        assertEquals(1, value("count"));
        assertEquals(0, value("sum"));
    }
}
