package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import org.junit.jupiter.api.Test;

class RelayRefusalTest {
    @Test
    void unusableCertificatesAreAReasonAndNoFailure() {
        String reason = RelayRefusal.of("r1", new HostPort("host", 1), () -> {
                    throw new TributaryException(ErrorCode.STREAM_BROKEN, "the certificate has expired");
                })
                .orElseThrow();
        assertTrue(reason.contains("relay r1 at host:1"), reason);
        assertTrue(reason.contains("expired"), reason);
    }
}
