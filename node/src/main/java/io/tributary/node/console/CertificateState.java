package io.tributary.node.console;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * How long the certificate of the admin endpoint is still valid.
 *
 * @param until when its validity ends, or that of a certificate between it and its CA; empty: the endpoint has no certificate
 * @param left the time until then, negative afterwards
 */
public record CertificateState(Optional<Instant> until, Duration left) {
    /** An endpoint without a certificate. */
    public static final CertificateState NONE = new CertificateState(Optional.empty(), Duration.ZERO);

    /** From this time before the end on it is a problem. */
    public static final Duration WARNED = Duration.ofDays(30);

    /**
     * Reads the certificates of a file.
     *
     * @throws io.tributary.common.error.TributaryException TLS_UNUSABLE
     */
    public static CertificateState of(Path file, Clock clock) {
        return at(end(file), clock);
    }

    /** The earliest end of the certificates of a file; throws as {@link #of}. */
    public static Instant end(Path file) {
        return Arrays.stream(PemFiles.certificates(file))
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The state now of a certificate with this end. */
    public static CertificateState at(Instant end, Clock clock) {
        Instant now = Instant.EPOCH.plus(clock.epochMicros(), ChronoUnit.MICROS);
        return new CertificateState(Optional.of(end), Duration.between(now, end));
    }

    /** Whether it is not valid any more. */
    public boolean hasExpired() {
        return until.isPresent() && left.isNegative();
    }

    /** One line that states the problem and what to do; empty if there is none. */
    public Optional<String> problem() {
        if (until.isEmpty() || left.compareTo(WARNED) > 0) {
            return Optional.empty();
        }
        String when = hasExpired()
                ? "has expired at " + until.get() + ": browsers refuse this node"
                : "expires in " + left.toDays() + " days, at " + until.get();
        return Optional.of(
                "The certificate of the admin endpoint " + when
                        + "; replace the files of admin.tls.certificate and admin.tls.key, they are read again without a restart");
    }
}
