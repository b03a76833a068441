package io.tributary.serve;

import io.tributary.binlog.BinlogFiles;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.serve.dump.FilePlace;
import io.tributary.serve.find.ReadingLag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lag of each reader, and how long it has been connected, as metrics. Any thread. */
final class ReaderSeries {
    private static final int MOST = 256;
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;

    private final Readers readers;
    private final BinlogFiles files;
    private final Clock clock;

    ReaderSeries(Readers readers, BinlogFiles files, Clock clock) {
        this.readers = readers;
        this.files = files;
        this.clock = clock;
    }

    /** The series of at most 256 readers; of readers with the same name, those of the last one in the binlog. */
    List<Metrics.Point> points() {
        Map<Map<String, String>, ReadingLag> lags = new LinkedHashMap<>();
        Map<Map<String, String>, Double> connected = new LinkedHashMap<>();
        for (Readers.Reading reading : readers.reading()) {
            Map<String, String> tags = Map.of("user", reading.user(), "reader", reading.name());
            if (lags.size() < MOST || lags.containsKey(tags)) {
                reading.dump()
                        .sent()
                        .flatMap(this::lag)
                        .ifPresent(lag -> lags.merge(tags, lag, (one, two) -> one.bytes() > two.bytes() ? one : two));
                if (reading.dump().isContinuous() && !reading.name().equals(Readers.Reading.OTHER)) {
                    connected.put(tags, (clock.nanoTime() - reading.sinceNanos()) / NANOS);
                }
            }
        }
        List<Metrics.Point> points = new ArrayList<>();
        lags.forEach((tags, lag) -> {
            points.add(new Metrics.Point(Metric.SERVE_READER_LAG_BYTES, tags, lag.bytes()));
            points.add(new Metrics.Point(Metric.SERVE_READER_LAG_TRANSACTIONS, tags, lag.transactions()));
            points.add(new Metrics.Point(Metric.SERVE_READER_LAG_SECONDS, tags, seconds(lag)));
        });
        connected.forEach(
                (tags, seconds) -> points.add(new Metrics.Point(Metric.SERVE_READER_CONNECTED, tags, seconds)));
        return points;
    }

    private double seconds(ReadingLag lag) {
        return lag.commitMicros() == 0 ? 0 : Math.max(0, clock.epochMicros() - lag.commitMicros()) / MICROS;
    }

    /** Empty when the file cannot be read, such as because it has just been purged. */
    private Optional<ReadingLag> lag(FilePlace place) {
        try {
            return Optional.of(ReadingLag.of(files, place.file(), place.offset()));
        } catch (IOException | TributaryException e) {
            return Optional.empty();
        }
    }
}
