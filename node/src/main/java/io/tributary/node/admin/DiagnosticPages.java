package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.common.config.EffectiveSetting;
import io.tributary.node.log.RecentLog;
import io.tributary.node.text.JsonText;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pages for the commands {@code config diff} and {@code support}: /config is the configuration in use without secrets as JSON, /threads the stacks of all
 * threads, /log the newest log lines. They are for programs of the node's own machine, and for others only if the endpoint has a login.
 */
final class DiagnosticPages {
    private static final Set<String> PATHS = Set.of("/config", "/threads", "/log");

    private final AdminAccess access;
    private final ConfigReload config;

    DiagnosticPages(AdminAccess access, ConfigReload config) {
        this.access = access;
        this.config = config;
    }

    static boolean isOneOfThem(String path) {
        return PATHS.contains(path);
    }

    PageAnswer answer(String path, InetAddress from) {
        if (!from.isLoopbackAddress() && access.user().isEmpty()) {
            return new PageAnswer(
                    HttpResponseStatus.FORBIDDEN,
                    path + " can be read from the node's own machine only, because admin.user is not set\n");
        }
        return switch (path) {
            case "/config" -> configuration();
            case "/threads" -> new PageAnswer(HttpResponseStatus.OK, threads());
            default -> new PageAnswer(HttpResponseStatus.OK, RecentLog.text());
        };
    }

    private PageAnswer configuration() {
        return config.running()
                .map(running ->
                        new PageAnswer(HttpResponseStatus.OK, PageAnswer.JSON, JsonText.of(page(running)) + "\n"))
                .orElseGet(() -> new PageAnswer(
                        HttpResponseStatus.SERVICE_UNAVAILABLE, "the configuration is not known here\n"));
    }

    private static Map<String, Object> page(ConfigReload.Running running) {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("file", running.file());
        page.put(
                "settings",
                running.settings().stream().map(DiagnosticPages::facts).toList());
        page.put("secrets.changed", running.secretsChanged());
        page.put("file.problem", running.problem());
        return page;
    }

    private static Map<String, Object> facts(EffectiveSetting setting) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("key", setting.key());
        facts.put("value", setting.value());
        facts.put("from", setting.origin());
        facts.put("live", setting.declared().live());
        facts.put("secret", setting.declared().secret());
        return facts;
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            text.append('"').append(thread.getThreadName()).append("\" #").append(thread.getThreadId());
            text.append(thread.isDaemon() ? " daemon " : " ").append(thread.getThreadState());
            if (thread.getLockName() != null) {
                text.append(" on ").append(thread.getLockName());
            }
            if (thread.getLockOwnerName() != null) {
                text.append(" owned by \"").append(thread.getLockOwnerName()).append('"');
            }
            text.append('\n');
            append(text, thread);
            text.append('\n');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ThreadInfo thread) {
        List<MonitorInfo> monitors = List.of(thread.getLockedMonitors());
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < stack.length; i++) {
            int depth = i;
            text.append("    at ").append(stack[i]).append('\n');
            monitors.stream()
                    .filter(monitor -> monitor.getLockedStackDepth() == depth)
                    .forEach(monitor ->
                            text.append("    - locked ").append(monitor).append('\n'));
        }
        for (LockInfo lock : thread.getLockedSynchronizers()) {
            text.append("    - owns ").append(lock).append('\n');
        }
    }
}
