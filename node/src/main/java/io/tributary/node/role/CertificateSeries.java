package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.node.admin.AdminConfig;
import io.tributary.serve.ServeConfig;
import io.tributary.transmitter.TransmitConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When the configured certificates of a node expire, as metrics; read from the files at each request, because they may be renewed. Any thread. */
final class CertificateSeries {
    private final Map<String, Optional<Path>> files;

    CertificateSeries(Config config) {
        this.files = Map.of(
                "serve.tls.certificate",
                        config.get(NodeConfig.class).keepsFiles()
                                ? config.get(ServeConfig.class).tls().certificate()
                                : Optional.empty(),
                "admin.tls.certificate", config.get(AdminConfig.class).access().certificate(),
                "grpc.tls.certificate", config.get(TransmitConfig.class).tls().certificate());
    }

    /** One series for each certificate that is configured and can be read. */
    List<Metrics.Point> points() {
        List<Metrics.Point> points = new ArrayList<>();
        files.forEach((key, file) -> file.flatMap(CertificateSeries::expires)
                .ifPresent(seconds ->
                        points.add(new Metrics.Point(Metric.CERTIFICATE_EXPIRES, Map.of("key", key), seconds))));
        return points;
    }

    /** When the first certificate in the file expires, s since 1970; empty if it cannot be read, which tributary_serve_stale or the log reports. */
    private static Optional<Double> expires(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate own =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            return Optional.of((double) own.getNotAfter().toInstant().getEpochSecond());
        } catch (IOException | CertificateException e) {
            return Optional.empty();
        }
    }
}
