package io.tributary.node.command.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.node.command.order.GlobalOrder.Arrival;
import io.tributary.node.command.order.Origin.Part;
import io.tributary.node.process.StopSignal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary origin}: which transactions of the shards a transaction of the binlog contains, and the reverse. */
@Command(
        name = "origin",
        description = {
            "Shows from which transactions of the shards a transaction of the binlog was made. With a GTID of a shard: shows in",
            "which transaction of the binlog it is, or why it is in none. Reads the binlog files of a running or stopped node,",
            "what is purged from its backup, and the binlogs of the shards."
        },
        mixinStandardHelpOptions = true)
public final class OriginCommand implements Callable<Integer> {
    private final StopSignal stop;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OrderAccess access;

    @Parameters(paramLabel = "GTID", description = "A GTID of the binlog or of a shard.")
    private String gtid;

    /** @param stop ends the command */
    public OriginCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() {
        Gtid asked;
        try {
            asked = Gtid.parse(gtid.strip());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "GTID: " + e.getMessage(), e);
        }
        try (OrderAccess opened = access) {
            StoredFiles files = opened.files(stop);
            GlobalOrder order = opened.order(files);
            Map<String, Object> facts = asked.sid().equals(files.sid())
                    ? facts(files, asked.gno(), order.origin(asked.gno()))
                    : facts(files, order.arrival(asked));
            opened.output().print(facts, () -> text(facts));
            return 0;
        }
    }

    private static Map<String, Object> facts(StoredFiles files, Arrival arrival) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("source", place(arrival.transaction()));
        facts.put("shard", arrival.shard());
        if (arrival.gno() > 0) {
            facts.putAll(facts(files, arrival.gno(), arrival.origin()));
        } else {
            facts.put("gtid", "");
            facts.put("why", "not in the binlog: " + arrival.why());
        }
        return facts;
    }

    private static Map<String, Object> facts(StoredFiles files, long gno, Origin origin) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("gtid", files.gtid(gno).toString());
        if (origin.parts().isEmpty()) {
            facts.put(
                    "why", "a statement that was written when all members of its table had it: tributary log shows it");
        }
        List<Object> parts = new ArrayList<>();
        origin.parts().forEach(part -> parts.add(facts(part)));
        facts.put("parts", parts);
        return facts;
    }

    private static Map<String, Object> facts(Part part) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("shard", part.shard());
        SourceTransaction transaction = part.transaction();
        boolean isBranch = transaction.xid() != null;
        facts.put(isBranch ? "prepare" : "transaction", place(transaction));
        if (part.commit() != null) {
            facts.put("commit", place(part.commit()));
        }
        if (isBranch) {
            facts.put("xid", transaction.xid().toString());
        }
        return facts;
    }

    private static Map<String, Object> place(SourceTransaction of) {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("gtid", of.gtid().toString());
        place.put("file", of.file());
        place.put("end", of.end());
        return place;
    }

    private static String text(Map<String, Object> facts) {
        StringBuilder text = new StringBuilder();
        facts.forEach((name, value) -> {
            if (value instanceof List<?> parts) {
                parts.forEach(part -> {
                    text.append('\n');
                    ((Map<?, ?>) part).forEach((key, one) -> line(text, key, one));
                });
            } else {
                line(text, name, value);
            }
        });
        return text.toString();
    }

    private static void line(StringBuilder text, Object name, Object value) {
        String shown = value instanceof Map<?, ?> place
                ? place.get("gtid") + "  ends at " + place.get("file") + ":" + place.get("end")
                : value.toString();
        if (!shown.isEmpty()) {
            text.append(String.format("%-12s  %s%n", name, shown));
        }
    }
}
