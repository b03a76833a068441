package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.common.error.TributaryException;
import io.tributary.node.text.JsonText;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page /reload, for programs of the node's own machine. POST reads the configuration again: 200 if all changed keys are in effect now, 202 if
 * some of them wait for a restart, 409 if the configuration is refused.
 */
final class ReloadPage {
    static final String PATH = "/reload";

    private static final Logger LOG = LoggerFactory.getLogger(ReloadPage.class);

    private final ConfigReload reloading;

    ReloadPage(ConfigReload reloading) {
        this.reloading = reloading;
    }

    /**
     * Answers a request.
     *
     * @param hasHeader whether the request has {@link ShardPages#HEADER}
     * @param isJson whether the answer is JSON: {@code {"applied": [...], "waiting": [...]}} or {@code {"error": "..."}}
     */
    PageAnswer answer(HttpMethod method, InetAddress from, boolean hasHeader, boolean isJson) {
        if (!method.equals(HttpMethod.POST)) {
            return new PageAnswer(HttpResponseStatus.METHOD_NOT_ALLOWED, "POST to /reload\n");
        }
        if (!ShardPages.isOwnProgram(from, hasHeader)) {
            return new PageAnswer(
                    HttpResponseStatus.FORBIDDEN,
                    "the configuration can be reloaded from the node's own machine only: use tributary reload there\n");
        }
        try {
            return report(reloading.reload(), isJson);
        } catch (TributaryException e) {
            LOG.error("reload refused: error=\"{}\" effect=\"the node keeps its previous configuration\"", e.line());
            return isJson
                    ? json(HttpResponseStatus.CONFLICT, Map.of("error", e.line()))
                    : new PageAnswer(
                            HttpResponseStatus.CONFLICT, e.line() + "\nthe node keeps its previous configuration\n");
        }
    }

    private static PageAnswer report(ConfigReload.Outcome outcome, boolean isJson) {
        String taken = outcome.taken().isEmpty()
                ? "no changed key is in effect now"
                : "in effect now: " + String.join(", ", outcome.taken());
        String waiting = outcome.waiting().isEmpty()
                ? "no changed key waits for a restart"
                : outcome.waiting().stream()
                        .map(ReloadPage::named)
                        .collect(Collectors.joining(", ", "wait for a restart: ", ""));
        LOG.info(
                "configuration reloaded: applied=\"{}\" waiting=\"{}\"",
                String.join(", ", outcome.taken()),
                String.join(", ", outcome.waiting()));
        HttpResponseStatus status = outcome.waiting().isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.ACCEPTED;
        if (isJson) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("applied", outcome.taken());
            facts.put("waiting", outcome.waiting());
            return json(status, facts);
        }
        return new PageAnswer(status, taken + "\n" + waiting + "\n");
    }

    private static PageAnswer json(HttpResponseStatus status, Map<String, Object> facts) {
        return new PageAnswer(status, PageAnswer.JSON, JsonText.of(facts) + "\n");
    }

    private static String named(String key) {
        return List.of("shard", "relay").contains(key) ? key + ".* (or tributary shard add, shard remove)" : key;
    }
}
