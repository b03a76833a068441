package io.tributary.node.command.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Xid;
import io.tributary.extractor.ShardFacts;
import io.tributary.node.command.order.GlobalPoint.ShardPoint;
import io.tributary.node.process.StopSignal;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary positions}: the place of every shard at one point of the global order. */
@Command(
        name = "positions",
        description = {
            "Shows the GTID set of every shard at one point of the global order, to recover all shards to the same point in time.",
            "Reads the binlog files of a running or stopped node and, between two cuts, the binlogs of the shards."
        },
        mixinStandardHelpOptions = true)
public final class PositionsCommand implements Callable<Integer> {
    private final StopSignal stop;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OrderAccess access;

    @Option(
            names = "--at",
            required = true,
            paramLabel = "GTID|TIME",
            description = {
                "The point: after this transaction of the binlog; or at the last cut before the first transaction that was",
                "committed at this time ('YYYY-MM-DD hh:mm:ss', UTC) or later."
            })
    private String at;

    /** @param stop ends the command */
    public PositionsCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() {
        try (OrderAccess opened = access) {
            StoredFiles files = opened.files(stop);
            GlobalPoint point = point(files, opened.order(files));
            opened.output().print(page(files, point), () -> text(files, point));
            return 0;
        }
    }

    private GlobalPoint point(StoredFiles files, GlobalOrder order) {
        if (!at.contains("-") || at.strip().indexOf(':') == 36) {
            Gtid gtid;
            try {
                gtid = Gtid.parse(at.strip());
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--at: " + e.getMessage(), e);
            }
            if (!gtid.sid().equals(files.sid())) {
                throw StoredFiles.refused("expected a transaction of the binlog, with the source " + files.sid()
                        + ", found " + gtid + ": for a transaction of a shard see tributary origin");
            }
            return order.after(gtid.gno());
        }
        long micros;
        try {
            micros = SqlTime.micros(SqlValue.of(at));
        } catch (SqlRefusal e) {
            throw new ParameterException(spec.commandLine(), "--at: " + e.getMessage(), e);
        }
        return order.before(micros);
    }

    private static String gtid(StoredFiles files, GlobalPoint point) {
        return point.gno() == 0 ? "" : files.gtid(point.gno()).toString();
    }

    private static String executed(StoredFiles files, GlobalPoint point) {
        return point.gno() == 0 ? "" : point.gno() == 1 ? gtid(files, point) : files.sid() + ":1-" + point.gno();
    }

    private static Map<String, Object> page(StoredFiles files, GlobalPoint point) {
        List<Object> shards = new ArrayList<>();
        for (ShardPoint shard : point.shards()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("name", shard.name());
            facts.put("server_uuid", shard.uuid());
            facts.put("gtid_set", ShardFacts.shown(shard.executed()));
            facts.put("file", shard.file());
            facts.put("position", shard.offset());
            facts.put("position_is_end", shard.isEnd());
            facts.put(
                    "commit",
                    shard.open().stream().map(PositionsCommand::commit).toList());
            facts.put("replay", replay(shard));
            shards.add(facts);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("gtid", gtid(files, point));
        all.put("gtid_executed", executed(files, point));
        all.put("cut", point.cut());
        all.put("shards", shards);
        return all;
    }

    private static String commit(Xid xid) {
        return "XA COMMIT " + xid;
    }

    private static String text(StoredFiles files, GlobalPoint point) {
        StringBuilder text = new StringBuilder();
        line(text, "gtid", point.gno() == 0 ? "none" : gtid(files, point));
        line(text, "executed", executed(files, point));
        line(text, "cut", Long.toString(point.cut()));
        for (ShardPoint shard : point.shards()) {
            text.append('\n');
            line(text, "shard", shard.name());
            line(text, "server_uuid", shard.uuid());
            line(text, "gtid_set", ShardFacts.shown(shard.executed()));
            if (!shard.file().isEmpty()) {
                line(
                        text,
                        "position",
                        shard.file() + ":" + shard.offset()
                                + (shard.isEnd() ? "" : ", and some transactions after it: use the GTID set"));
            }
            line(text, "replay", replay(shard));
            shard.open().forEach(xid -> line(text, "then", commit(xid)));
        }
        text.append('\n');
        line(
                text,
                "last",
                "on every shard: XA RECOVER CONVERT XID, then XA ROLLBACK of each branch that is listed there");
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-12s  %s%n", name, value));
    }

    /** The command that brings a restored backup of a shard to the point. */
    private static String replay(ShardPoint shard) {
        String set = ShardFacts.shown(shard.executed());
        boolean isMariadb = !set.isEmpty() && set.indexOf(':') < 0;
        return isMariadb
                ? "mariadb-binlog --start-position='GTIDS_OF_THE_BACKUP' --stop-position='" + set + "' FILES | mariadb"
                : "mysqlbinlog --exclude-gtids='GTIDS_OF_THE_BACKUP' --include-gtids='" + set + "' FILES | mysql";
    }
}
