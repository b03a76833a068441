package io.tributary.node.check;

import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.console.CertificateState;
import java.nio.file.Path;
import java.util.List;

/** The check of the certificate and the key of the admin endpoint. */
public final class CertificateCheck {
    private final AdminAccess access;
    private final Clock clock;

    public CertificateCheck(Config config, Clock clock) {
        this.access = config.get(AdminConfig.class).access();
        this.clock = clock;
    }

    /** What prevents a start: files that cannot be used. */
    public List<String> problems() {
        if (access.certificate().isEmpty()) {
            return List.of();
        }
        Path certificate = access.certificate().get();
        try {
            var unused = PemFiles.keyOf(access.key().orElseThrow(), PemFiles.certificates(certificate), certificate);
            return List.of();
        } catch (TributaryException e) {
            return List.of("admin.tls: " + e.getMessage());
        }
    }

    /** A certificate that has expired, or expires soon. */
    public List<String> warnings() {
        try {
            return access
                    .certificate()
                    .flatMap(file -> CertificateState.of(file, clock).problem())
                    .stream()
                    .toList();
        } catch (TributaryException e) {
            return List.of(); // one of the problems
        }
    }
}
