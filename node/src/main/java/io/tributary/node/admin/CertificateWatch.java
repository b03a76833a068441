package io.tributary.node.admin;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.console.CertificateState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads how long the certificate of the admin endpoint is valid, and logs a warning once a day before and after its end. One thread. */
final class CertificateWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);
    private static final long READ_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LOG_NANOS = TimeUnit.DAYS.toNanos(1);

    private final Optional<Path> file;
    private final Clock clock;
    private Optional<Instant> until = Optional.empty();
    private long readAt;
    private long loggedAt;
    private boolean isRead;
    private boolean isLogged;

    /** @param file empty: no TLS */
    CertificateWatch(Optional<Path> file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    Clock clock() {
        return clock;
    }

    /** The state now. The file is read at most once a minute. */
    CertificateState state() {
        if (file.isEmpty()) {
            return CertificateState.NONE;
        }
        long nanos = clock.nanoTime();
        if (!isRead || nanos - readAt >= READ_NANOS) {
            isRead = true;
            readAt = nanos;
            read(file.get());
        }
        CertificateState state =
                until.map(end -> CertificateState.at(end, clock)).orElse(CertificateState.NONE);
        state.problem().ifPresent(problem -> log(problem, nanos));
        return state;
    }

    private void read(Path certificate) {
        try {
            until = Optional.of(CertificateState.end(certificate));
        } catch (TributaryException e) { // the previous certificate stays in use, and TlsFiles reports the problem
            LOG.debug("certificate not readable:", e);
        }
    }

    private void log(String problem, long nanos) {
        if (!isLogged || nanos - loggedAt >= LOG_NANOS) {
            isLogged = true;
            loggedAt = nanos;
            LOG.warn("admin certificate ends: file={} reason=\"{}\"", file.orElseThrow(), problem);
        }
    }
}
