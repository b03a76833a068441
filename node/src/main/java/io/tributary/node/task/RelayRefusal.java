package io.tributary.node.task;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.node.process.Failures;
import io.tributary.transmitter.RelayProbe;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks a relay whether it accepts to read shards for this node. Never throws, so that it does not end the running pipeline. */
public final class RelayRefusal {
    private static final int ANSWER_MILLIS = 2000;

    private RelayRefusal() {}

    /**
     * Waits for the answer, at most 2 s; empty if the relay accepts.
     *
     * @param probe sends the request; may throw, for example when certificates cannot be used now
     */
    public static Optional<String> of(String relay, HostPort address, Supplier<RelayProbe> probe) {
        try (RelayProbe request = probe.get()) {
            request.answer().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of("relay " + relay + " at " + address + " cannot be reached: " + e.line());
        } catch (ExecutionException e) {
            return Optional.of(Failures.of("relay " + relay, e.getCause()).line());
        } catch (TimeoutException e) {
            return Optional.of("relay " + relay + " at " + address + " does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted during the request to relay " + relay);
        }
    }
}
