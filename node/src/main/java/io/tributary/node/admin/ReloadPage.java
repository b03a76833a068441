package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.common.error.TributaryException;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** POST to /reload, for the machine's own programs: 200 when all that was changed counts now, 202 when some of it waits for a start. */
final class ReloadPage {
    static final String PATH = "/reload";

    private static final Logger LOG = LoggerFactory.getLogger(ReloadPage.class);

    private final Reloading reloading;

    ReloadPage(Reloading reloading) {
        this.reloading = reloading;
    }

    /** @param hasHeader whether the request has {@link ShardPages#HEADER} */
    Answer answer(HttpMethod method, InetAddress from, boolean hasHeader) {
        if (!method.equals(HttpMethod.POST)) {
            return new Answer(HttpResponseStatus.METHOD_NOT_ALLOWED, "POST to /reload\n");
        }
        if (!ShardPages.isOwnProgram(from, hasHeader)) {
            return new Answer(
                    HttpResponseStatus.FORBIDDEN,
                    "the configuration is read again at the word of the node's own machine only: use tributary reload there\n");
        }
        try {
            return told(reloading.reload());
        } catch (TributaryException e) {
            LOG.error("{} | the node goes on by the configuration that it had", e.line());
            return new Answer(
                    HttpResponseStatus.CONFLICT, e.line() + "\nthe node goes on by the configuration that it had\n");
        }
    }

    private static Answer told(Reloading.Outcome outcome) {
        String taken = outcome.taken().isEmpty()
                ? "no changed key counts at once"
                : "count from now on: " + String.join(", ", outcome.taken());
        String waiting = outcome.waiting().isEmpty()
                ? "none waits for a restart"
                : outcome.waiting().stream()
                        .map(ReloadPage::named)
                        .collect(Collectors.joining(", ", "wait for a restart: ", ""));
        LOG.info("the configuration was read again: {}; {}", taken, waiting);
        return new Answer(
                outcome.waiting().isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.ACCEPTED,
                taken + "\n" + waiting + "\n");
    }

    private static String named(String key) {
        return List.of("shard", "relay").contains(key) ? key + ".* (or tributary shard add, shard remove)" : key;
    }
}
