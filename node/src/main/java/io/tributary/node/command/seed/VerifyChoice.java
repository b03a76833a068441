package io.tributary.node.command.seed;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.seed.change.SearchLimits;
import io.tributary.seed.verify.VerifyOptions;
import io.tributary.serve.filter.TableFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code tributary verify} that choose tables, load and output. */
final class VerifyChoice {
    private static final int MOST_SEARCHED = 10_000;

    @Option(
            names = "--tables",
            paramLabel = "PATTERNS",
            split = ",",
            description = "Only these tables, such as 'shop.*,crm.order_?'. Default: all.")
    private List<String> tables = List.of();

    @Option(names = "--exclude", paramLabel = "PATTERNS", split = ",", description = "Not these tables.")
    private List<String> excluded = List.of();

    @Option(
            names = "--chunk",
            paramLabel = "ROWS",
            defaultValue = "10000",
            description =
                    "Rows that one statement reads; fewer if it takes more than a second. Default: ${DEFAULT-VALUE}.")
    private int chunk;

    @Option(
            names = "--sample",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description =
                    "Compares this part of the chunks of each table, always the same ones. Default: ${DEFAULT-VALUE}.")
    private int sample;

    @Option(
            names = "--max-load",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Pauses while a shard or the replica has more than N running threads (Threads_running). Default: no limit.")
    private int maxLoad;

    @Option(
            names = "--rate",
            paramLabel = "ROWS",
            defaultValue = "0",
            description = "Rows per second that are compared, at most. Default: no limit.")
    private int rate;

    @Option(
            names = "--search",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            description =
                    "Searches so many bytes of the newest binlog files for the last change of each row that differs."
                            + " 0B: no search. Default: ${DEFAULT-VALUE}.")
    private String search;

    @Option(
            names = "--search-time",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Ends this search after so many seconds. Default: ${DEFAULT-VALUE}.")
    private int searchSeconds;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "2",
            description = "Tables that are compared at the same time. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Leaves out the rest of a table after N findings. Default: ${DEFAULT-VALUE}.")
    private int findings;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long the replica may lag. Default: ${DEFAULT-VALUE}.")
    private int wait;

    @Option(names = "--show", description = "Also prints the values that differ: of the shard / of the replica.")
    private boolean showsValues;

    @Option(
            names = "--lock",
            description = "Before a row is reported, it is compared once more with a shared lock on its shard.")
    private boolean locks;

    @Option(
            names = "--repair",
            paramLabel = "print|run",
            description = "Prints the statements that make the replica equal, or runs them. run implies --lock.")
    private VerifyOptions.Repair repair = VerifyOptions.Repair.NONE;

    @Mixin
    private OutputOptions output;

    int threads() {
        return Math.max(1, threads);
    }

    /** @throws TributaryException CONFIG_INVALID for a size that is none */
    SearchLimits search() {
        try {
            return new SearchLimits(
                    ByteSize.parse(search).bytes(), Duration.ofSeconds(Math.max(1, searchSeconds)), MOST_SEARCHED);
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, "--search: " + e.getMessage(), e);
        }
    }

    /** The part of a rate of one thread; 0 stays 0. */
    private int ofThread(int whole) {
        return whole <= 0 ? whole : Math.max(1, whole / threads());
    }

    /** @throws TributaryException CONFIG_INVALID for numbers out of range */
    VerifyOptions options() {
        try {
            return new VerifyOptions(
                    new VerifyOptions.Volume(chunk, sample, maxLoad, findings, ofThread(rate)),
                    new VerifyOptions.Mode(showsValues, locks, repair),
                    Duration.ofSeconds(wait));
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, e.getMessage(), e);
        }
    }

    /** @throws TributaryException CONFIG_INVALID for a pattern that is none */
    TableFilter filter() {
        List<String> rules = new ArrayList<>(tables);
        excluded.forEach(pattern -> rules.add("!" + pattern.strip()));
        try {
            return Optional.of(String.join(",", rules))
                    .filter(text -> !text.isEmpty())
                    .map(TableFilter::parse)
                    .orElse(TableFilter.ALL);
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, "--tables, --exclude: " + e.getMessage(), e);
        }
    }

    VerifyOutput.Form form(boolean isTerminal) {
        boolean isText = output.isTable();
        return new VerifyOutput.Form(
                output.form(), repair == VerifyOptions.Repair.PRINT && isText, isTerminal && isText);
    }
}
