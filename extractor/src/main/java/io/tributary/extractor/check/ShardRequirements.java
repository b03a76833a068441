package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The checks of a shard's settings, and of whether it still has the transactions after the position from which the stream continues. */
public final class ShardRequirements {
    static final String READ_ONLY = "read_only";

    private static final String PERSIST = "SET PERSIST ";
    private static final long SHORTEST_KEPT_SECONDS = TimeUnit.HOURS.toSeconds(1);

    private final String shard;
    private final ShardFacts facts;
    private final List<ShardProblem> problems;

    /** @param problems receives the problems */
    public ShardRequirements(String shard, ShardFacts facts, List<ShardProblem> problems) {
        this.shard = shard;
        this.facts = facts;
        this.problems = problems;
    }

    public void check() {
        checkVersion();
        require("log_bin", Set.of("ON"), "start the server with --log-bin");
        require("binlog_format", Set.of("ROW", ""), "SET PERSIST binlog_format = ROW");
        require("binlog_row_image", Set.of("FULL"), "SET PERSIST binlog_row_image = FULL");
        if (facts.isMariadb()) {
            require(
                    "mysql56_temporal_format",
                    Set.of("ON"),
                    "SET GLOBAL mysql56_temporal_format = ON, and in its my.cnf");
        } else {
            checkGtids();
        }
        if (!Set.of("FULL", "").contains(value("binlog_row_metadata"))) {
            add(
                    true,
                    "binlog_row_metadata",
                    "FULL, the same on every shard",
                    value("binlog_row_metadata") + ": readers of the global binlog see no column names",
                    "SET PERSIST binlog_row_metadata = FULL");
        }
        checkExpiry();
    }

    /** Checks whether heartbeat rounds can be written. */
    void checkWritable() {
        if (isOn(READ_ONLY) || isOn("super_read_only")) {
            add(false, READ_ONLY, "OFF", "ON: heartbeat rounds cannot be written", "SET PERSIST read_only = OFF");
        }
        if (isOn("innodb_read_only")) {
            add(
                    false,
                    READ_ONLY,
                    "innodb_read_only = OFF",
                    "ON: heartbeat rounds cannot be written",
                    "start the server without --innodb-read-only");
        }
    }

    private void checkGtids() {
        require(
                "enforce_gtid_consistency",
                Set.of("ON"),
                "SET PERSIST enforce_gtid_consistency = WARN, check the error log, then SET PERSIST"
                        + " enforce_gtid_consistency = ON");
        require(
                "gtid_mode",
                Set.of("ON"),
                "SET PERSIST gtid_mode = OFF_PERMISSIVE, then ON_PERMISSIVE, then ON, one after another");
    }

    private void checkVersion() {
        String version = facts.version();
        if (facts.isMariadb()) {
            if (!version.matches("(10\\.([5-9]|\\d\\d)|1[1-9])\\..*")) {
                add(false, "version", "MariaDB 10.5 or later, which logs XA PREPARE", version, "upgrade the server");
            }
        } else if (version.matches("5\\.[0-6]\\..*|[1-4]\\..*")) {
            add(false, "version", "MySQL 5.7 to 9.x", version, "upgrade the server");
        }
    }

    private void checkExpiry() {
        String seconds = facts.variable("binlog_expire_logs_seconds");
        long kept = seconds.isEmpty() ? 0 : Long.parseLong(seconds);
        if (kept > 0 && kept < SHORTEST_KEPT_SECONDS) {
            add(
                    true,
                    "binlog_expire_logs_seconds",
                    "an hour or more, so that Tributary can be stopped for some time",
                    kept + " seconds",
                    "SET PERSIST binlog_expire_logs_seconds = 604800");
        }
    }

    /** Checks whether the stream can continue at the cut, or begin as configured. */
    public void checkPosition(ShardConfig config, ShardCut cut) {
        ShardCut from = cut == null ? facts.firstCut(shard, config) : cut;
        try {
            facts.requireContinues(shard, from.serverUuid(), from.resume());
        } catch (TributaryException e) {
            if (e.code() == ErrorCode.SHARD_HISTORY_LOST) {
                addLost(e);
                return;
            }
            boolean isPurged = e.code() == ErrorCode.SHARD_POSITION_PURGED;
            problems.add(new ShardProblem(
                    e.code(),
                    false,
                    shard,
                    isPurged ? "gtid_purged" : "server",
                    isPurged
                            ? "the binlogs after " + ShardFacts.shown(from.resume())
                            : "the server that was read so far",
                    isPurged ? "that those of " + facts.missing(from.resume()).line() + " were purged" : e.getMessage(),
                    isPurged
                            ? "restore these binlogs on the shard, or set up a new stream with shard." + shard
                                    + ".start = earliest"
                            : "correct shard." + shard + ".host and shard." + shard + ".port"));
        }
    }

    /** Adds the problem that the binlog is not the one that was read. */
    void addLost(TributaryException lost) {
        problems.add(new ShardProblem(
                lost.code(),
                false,
                shard,
                "binlog",
                "the binlog that was read so far",
                lost.getMessage(),
                lost.code().remedy()));
    }

    private void require(String variable, Set<String> expected, String remedy) {
        String found = value(variable);
        String normal = switch (found) {
            case "1" -> "ON";
            case "0" -> "OFF";
            default -> found;
        };
        if (!expected.contains(normal)) {
            String first =
                    expected.contains("ROW") ? "ROW" : expected.iterator().next();
            add(false, variable, first, found.isEmpty() ? "nothing" : found, remedy);
        }
    }

    private boolean isOn(String variable) {
        return value(variable).equals("ON");
    }

    private String value(String variable) {
        return facts.variable(variable).toUpperCase(Locale.ROOT);
    }

    private void add(boolean isWarning, String what, String expected, String found, String remedy) {
        // MariaDB has no SET PERSIST
        String possible = facts.isMariadb() && remedy.startsWith(PERSIST)
                ? remedy.replace(PERSIST, "SET GLOBAL ") + ", and set it in the server's my.cnf"
                : remedy;
        problems.add(new ShardProblem(ErrorCode.SHARD_UNFIT, isWarning, shard, what, expected, found, possible));
    }
}
