package io.tributary.tso;

import io.tributary.common.pipeline.Clock;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A process that hands out timestamps to its output as fast as it can, until it is killed. */
final class CrashedSequence {
    private CrashedSequence() {}

    /** @param arguments the folder, and by how many milliseconds its clock is behind */
    public static void main(String[] arguments) throws IOException {
        long behindMicros = Long.parseLong(arguments[1]) * 1000;
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return Clock.SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return Clock.SYSTEM.epochMicros() - behindMicros;
            }
        };
        TsoSequence sequence = new TsoSequence(
                HighWaterFile.open(Path.of(arguments[0])), clock, Duration.ofMillis(10), Duration.ofMinutes(1));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 10));
        while (true) {
            long first = sequence.take(17);
            out.writeLong(first);
            out.writeLong(first + 16);
        }
    }
}
