package io.tributary.bench.apply;

import io.tributary.apply.ApplyBackend;
import io.tributary.apply.ApplyOrder;

/**
 * What the process of the applier does once: a line of its input.
 *
 * @param sourcePort of the server whose binlog is applied
 * @param targetPort of the target, or of a proxy to it
 * @param transactions after which it ends
 * @param seconds after which it ends, if not all are applied before
 */
record ApplyJob(ApplyMode mode, int sourcePort, int targetPort, int transactions, int seconds) {
    String line() {
        return "%s %s %d %d %d %d %d %d"
                .formatted(
                        mode.backend(),
                        mode.order(),
                        mode.sessions(),
                        mode.batch(),
                        sourcePort,
                        targetPort,
                        transactions,
                        seconds);
    }

    static ApplyJob parse(String line) {
        String[] parts = line.split(" ", -1);
        int[] numbers = new int[parts.length];
        for (int i = 2; i < parts.length; i++) {
            numbers[i] = Integer.parseInt(parts[i]);
        }
        ApplyMode mode =
                new ApplyMode(ApplyBackend.valueOf(parts[0]), ApplyOrder.valueOf(parts[1]), numbers[2], numbers[3]);
        return new ApplyJob(mode, numbers[4], numbers[5], numbers[6], numbers[7]);
    }
}
