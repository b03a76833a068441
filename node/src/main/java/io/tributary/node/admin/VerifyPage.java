package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.VerifyStatus;
import io.tributary.node.text.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The page /verify: the last comparisons of replicas, with keys of rows that differ and without other values. */
final class VerifyPage {
    static final String PATH = "/verify";

    private VerifyPage() {}

    static PageAnswer of(NodeStatus status) {
        Optional<VerifyStatus> verify = status.parts().stream()
                .filter(VerifyStatus.class::isInstance)
                .map(VerifyStatus.class::cast)
                .findFirst();
        return verify.map(found ->
                        new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, JsonText.of(page(found)) + "\n"))
                .orElseGet(() -> new PageAnswer(
                        HttpResponseStatus.NOT_FOUND,
                        "this node compares no replicas: verify.every is not set, or another Dumper leads\n"));
    }

    private static Map<String, Object> page(VerifyStatus verify) {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("next", verify.next().map(Object::toString).orElse(null));
        page.put("replicas", verify.replicas().stream().map(VerifyPage::replica).toList());
        return page;
    }

    private static Map<String, Object> replica(VerifyStatus.Replica replica) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("replica", replica.address());
        facts.put("running", replica.running().map(VerifyPage::run).orElse(null));
        List<Map<String, Object>> runs =
                replica.runs().stream().map(VerifyPage::run).toList();
        facts.put("runs", runs);
        return facts;
    }

    private static Map<String, Object> run(VerifyStatus.Run run) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("begin", run.begin().toString());
        facts.put("end", run.end().map(Object::toString).orElse(null));
        facts.put("tables", run.tables());
        facts.put("rows", run.rows());
        facts.put("findings", run.findings());
        facts.put("busy", run.busy());
        facts.put("error", run.error());
        facts.put("searched", run.searched());
        facts.put("differences", run.differences());
        return facts;
    }
}
