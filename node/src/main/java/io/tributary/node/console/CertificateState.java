package io.tributary.node.console;

import java.time.Duration;
import java.time.Instant;
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

    /** One line that states the problem and what to do; empty if there is none. */
    public Optional<String> problem() {
        if (until.isEmpty() || left.compareTo(WARNED) > 0) {
            return Optional.empty();
        }
        String when = left.isNegative()
                ? "has expired at " + until.get() + ": browsers refuse this node"
                : "expires in " + left.toDays() + " days, at " + until.get();
        return Optional.of(
                "The certificate of the admin endpoint " + when
                        + "; replace the files of admin.tls.certificate and admin.tls.key, they are read again without a restart");
    }
}
