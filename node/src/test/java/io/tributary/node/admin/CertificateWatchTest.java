package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.node.console.CertificateState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node reports before and after its certificate for the admin endpoint expires. */
class CertificateWatchTest {
    @TempDir
    private Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return TimeUnit.MICROSECONDS.toNanos(epochMicros());
        }

        @Override
        public long epochMicros() {
            return TimeUnit.MILLISECONDS.toMicros(now.get().toEpochMilli());
        }
    };

    @Test
    void aCertificateIsReportedBeforeAndAfterItExpires() throws Exception {
        SelfSignedCertificate.in(folder, "node", clock);
        Path file;
        try (var files = Files.list(folder)) {
            file = files.filter(each -> each.toString().contains("cert"))
                    .findFirst()
                    .orElseThrow();
        }
        CertificateWatch watch = new CertificateWatch(Optional.of(file), clock);
        CertificateState fresh = watch.state();
        assertEquals(Optional.empty(), fresh.problem());
        Instant end = fresh.until().orElseThrow();
        now.set(end.minus(Duration.ofDays(10)));
        assertTrue(watch.state().problem().orElseThrow().contains("expires in 10 days"));
        now.set(end.plusSeconds(1));
        String expired = watch.state().problem().orElseThrow();
        assertTrue(expired.contains("has expired at " + end + ": browsers refuse this node"), expired);
        SelfSignedCertificate.in(Files.createDirectory(folder.resolve("renewed")), "node", clock);
        Files.copy(
                folder.resolve("renewed").resolve(file.getFileName()),
                file,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        now.set(now.get().plus(Duration.ofMinutes(2)));
        assertEquals(Optional.empty(), watch.state().problem());
        assertEquals(CertificateState.NONE, new CertificateWatch(Optional.empty(), clock).state());
    }
}
