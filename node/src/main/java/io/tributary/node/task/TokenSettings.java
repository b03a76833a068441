package io.tributary.node.task;

import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.TableMapRule;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The keys that determine the contents of a token: a relay and the Task above it must have the same values. */
public final class TokenSettings {
    private TokenSettings() {}

    /** All of them as one line. */
    public static String of(ExtractorConfig config, OrderConfig order) {
        Map<String, String> rules = new TreeMap<>();
        config.tableMap().forEach((name, rule) -> rules.put(name, text(rule)));
        return "server.id=" + config.serverId() + ", filter.schemas=" + new TreeSet<>(config.filterSchemas())
                + ", filter.accounts=" + config.filterAccounts() + ", table.map=" + rules + ", ddl.hidden="
                + new TreeSet<>(config.ddlHidden()) + ", order.mode="
                + (order.mode() == OrderMode.XA ? "xa" : "tso, order.tso.table=" + order.tsoTable());
    }

    private static String text(TableMapRule rule) {
        return rule.from() + " -> " + rule.to();
    }
}
