package io.tributary.node.role;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.transmitter.RelayQuestion;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Why a relay would not read shards for this node; asked beside what runs, which a question must not end. */
final class RelayRefusal {
    private static final int ANSWER_MILLIS = 2000;

    private RelayRefusal() {}

    /**
     * Waits for an answer; empty when it would.
     *
     * @param question asks; may throw, as when certificates cannot be used now
     */
    static Optional<String> of(String relay, HostPort address, Supplier<RelayQuestion> question) {
        try (RelayQuestion asked = question.get()) {
            asked.answer().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of("relay " + relay + " at " + address + " cannot be asked: " + e.line());
        } catch (ExecutionException e) {
            return Optional.of(Failures.of("relay " + relay, e.getCause()).line());
        } catch (TimeoutException e) {
            return Optional.of("relay " + relay + " at " + address + " does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while relay " + relay + " was asked");
        }
    }
}
