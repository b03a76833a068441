package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.node.console.CertificateState;
import io.tributary.node.status.NodeHealth;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.text.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The pages for load balancers and for probes of containers. They need no login, and contain no texts of failures. */
final class HealthPages {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";

    /** The warning that the certificate of the admin endpoint has expired. */
    static final NodeHealth.Finding EXPIRED =
            new NodeHealth.Finding("certificate-expired", "admin.tls.certificate", "tributary check");

    private HealthPages() {}

    static boolean isOneOfThem(String path) {
        return path.equals(LIVE) || path.equals(READY);
    }

    /**
     * The answer: 200 or, from /health/ready, 503.
     *
     * @param isStrict whether a warning makes the node unready too
     */
    static PageAnswer answer(String path, NodeHealth health, boolean isStrict) {
        Map<String, Object> page = new LinkedHashMap<>();
        boolean isReady = health.isReady() && !(isStrict && !health.warnings().isEmpty());
        page.put("live", true); // a node that cannot answer is not alive
        page.put("ready", isReady);
        page.put("state", health.state().name().toLowerCase(Locale.ROOT));
        page.put("term", health.term());
        page.put("reasons", list(health.reasons()));
        page.put("warnings", list(health.warnings()));
        HttpResponseStatus status =
                path.equals(LIVE) || isReady ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
        return new PageAnswer(status, PageAnswer.JSON, JsonText.of(page) + "\n");
    }

    /** The page /health: the state in one line, and in another one that the certificate has expired. */
    static PageAnswer line(NodeStatus now, CertificateState certificate) {
        String expired = certificate.hasExpired() ? certificate.problem().orElseThrow() + "\n" : "";
        return new PageAnswer(
                now.isHealthy() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                now.state() + "\n" + expired);
    }

    private static List<Map<String, Object>> list(List<NodeHealth.Finding> findings) {
        return findings.stream()
                .map(finding -> {
                    Map<String, Object> shown = new LinkedHashMap<>();
                    shown.put("code", finding.code());
                    shown.put("subject", finding.subject());
                    shown.put("look", finding.look());
                    return shown;
                })
                .toList();
    }
}
