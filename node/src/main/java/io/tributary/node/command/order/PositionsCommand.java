package io.tributary.node.command.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Xid;
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
            "Reads the binlog files of a running or stopped node, what is purged from its backup, and, between two cuts, the",
            "binlogs of the shards."
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
            GlobalOrder order = opened.order(files);
            if (isGtid()) {
                print(files, order.after(gno(files)), Map.of());
            } else {
                TimeChoice choice = order.before(time());
                print(files, GlobalPoint.of(choice.cut()), facts(files, choice));
            }
            return 0;
        }
    }

    private boolean isGtid() {
        return !at.contains("-") || at.strip().indexOf(':') == 36;
    }

    private long gno(StoredFiles files) {
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
        return gtid.gno();
    }

    private long time() {
        try {
            return SqlTime.micros(SqlValue.of(at));
        } catch (SqlRefusal e) {
            throw new ParameterException(spec.commandLine(), "--at: " + e.getMessage(), e);
        }
    }

    /** How far the chosen cut is from the time. */
    private static Map<String, Object> facts(StoredFiles files, TimeChoice choice) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("asked_time", time(choice.asked()));
        facts.put("cut_time", choice.micros() == 0 ? "" : time(choice.micros()));
        facts.put("seconds_before", choice.micros() == 0 ? null : (choice.asked() - choice.micros()) / 1e6);
        facts.put("left_out", choice.leftOut());
        facts.put(
                "exact_gtid",
                choice.exact() == 0 ? "" : files.gtid(choice.exact()).toString());
        return facts;
    }

    private static String time(long micros) {
        return SqlTime.text(micros) + String.format(".%06d", Math.floorMod(micros, 1_000_000));
    }

    private void print(StoredFiles files, GlobalPoint point, Map<String, Object> choice) {
        access.output().print(page(files, point, choice), () -> text(files, point, choice));
    }

    private static String gtid(StoredFiles files, GlobalPoint point) {
        return point.gno() == 0 ? "" : files.gtid(point.gno()).toString();
    }

    private static String executed(StoredFiles files, GlobalPoint point) {
        return point.gno() == 0 ? "" : point.gno() == 1 ? gtid(files, point) : files.sid() + ":1-" + point.gno();
    }

    private static Map<String, Object> page(StoredFiles files, GlobalPoint point, Map<String, Object> choice) {
        List<Object> shards = new ArrayList<>();
        for (ShardPoint shard : point.shards()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("name", shard.name());
            facts.put("server_uuid", shard.uuid());
            facts.put("gtid_set", shard.gtids());
            facts.put("file", shard.file());
            facts.put("position", shard.offset());
            facts.put("position_is_end", shard.isEnd());
            facts.put(
                    "commit",
                    shard.open().stream().map(PositionsCommand::commit).toList());
            facts.put("replay", replay(shard));
            facts.put("recover", recover(shard.isMariadb()));
            shards.add(facts);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("gtid", gtid(files, point));
        all.put("gtid_executed", executed(files, point));
        all.put("cut", point.cut());
        all.putAll(choice);
        all.put("shards", shards);
        return all;
    }

    private static String recover(boolean isMariadb) {
        return isMariadb ? "XA RECOVER FORMAT='SQL'" : "XA RECOVER CONVERT XID";
    }

    private static String commit(Xid xid) {
        return "XA COMMIT " + xid;
    }

    private static String text(StoredFiles files, GlobalPoint point, Map<String, Object> choice) {
        StringBuilder text = new StringBuilder();
        line(text, "gtid", point.gno() == 0 ? "none" : gtid(files, point));
        line(text, "executed", executed(files, point));
        line(text, "cut", Long.toString(point.cut()));
        if (!choice.isEmpty()) {
            choice(text, choice);
        }
        for (ShardPoint shard : point.shards()) {
            text.append('\n');
            line(text, "shard", shard.name());
            line(text, "server_uuid", shard.uuid());
            line(text, "gtid_set", shard.gtids());
            if (!shard.file().isEmpty()) {
                line(
                        text,
                        "position",
                        shard.file() + ":" + shard.offset()
                                + (shard.isEnd() ? "" : ", and some transactions after it: use the GTID set"));
            }
            line(text, "replay", replay(shard));
            shard.open().forEach(xid -> line(text, "then", commit(xid)));
            line(text, "last", recover(shard.isMariadb()) + ", then XA ROLLBACK of each branch that is listed");
        }
        return text.toString();
    }

    private static void choice(StringBuilder text, Map<String, Object> choice) {
        Object seconds = choice.get("seconds_before");
        line(
                text,
                "cut_time",
                seconds == null
                        ? "not known"
                        : choice.get("cut_time")
                                + String.format(", %.6f s before %s", (double) seconds, choice.get("asked_time")));
        if (!choice.get("left_out").equals(0L)) {
            line(
                    text,
                    "left_out",
                    choice.get("left_out") + " transactions between the cut and this time; the point after them: --at "
                            + choice.get("exact_gtid"));
        }
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-12s  %s%n", name, value));
    }

    /** The command that brings a restored backup of a shard to the point. */
    private static String replay(ShardPoint shard) {
        String set = shard.gtids();
        return shard.isMariadb()
                ? "mariadb-binlog --start-position='GTIDS_OF_THE_BACKUP' --stop-position='" + set + "' FILES | mariadb"
                : "mysqlbinlog --exclude-gtids='GTIDS_OF_THE_BACKUP' --include-gtids='" + set + "' FILES | mysql";
    }
}
