package io.tributary.node.command;

import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.command.output.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tributary shard list}. */
@Command(
        name = "list",
        description = {
            "Lists the shards of a running node: transactions and bytes read, the age in seconds of the newest event that was read",
            "and of the newest one that is in the binlog, the position in the shard's binlog, and why the shard is held."
        },
        mixinStandardHelpOptions = true)
final class ShardListCommand implements Callable<Integer> {
    @Mixin
    private ConfigFile file;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
        Map<?, ?> status = (Map<?, ?>) YamlText.parse(new AdminClient(file).body("/status"));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object shard : (List<?>) status.get("shards")) {
            rows.add(row(shard.toString(), status));
        }
        output.print(rows, "SHARD", "TRANSACTIONS", "BYTES", "READ LAG", "WRITTEN LAG", "POSITION", "HELD");
        return 0;
    }

    private static Map<String, Object> row(String shard, Map<?, ?> status) {
        Map<?, ?> facts = (Map<?, ?>) status.get("facts");
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("shard", shard);
        row.put("transactions", metric("tributary.extract.transactions", shard, status));
        row.put("bytes", metric("tributary.extract.bytes", shard, status));
        row.put("read.lag.seconds", metric("tributary.extract.lag.seconds", shard, status));
        row.put("written.lag.seconds", metric("tributary.shard.lag.seconds", shard, status));
        row.put("position", facts.get("position." + shard));
        row.put("held", facts.get("shard." + shard + ".held"));
        return row;
    }

    /** A shard's value of a metric; null if there is none. */
    private static Object metric(String name, String shard, Map<?, ?> status) {
        return ((List<?>) status.get("metrics"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(metric -> name.equals(metric.get("name"))
                                && shard.equals(((Map<?, ?>) metric.get("tags")).get("shard")))
                        .findFirst()
                        .<Object>map(metric -> metric.get("value"))
                        .orElse(null);
    }
}
