package io.tributary.bench;

import io.tributary.bench.apply.ApplyBench;
import io.tributary.bench.collect.CollectBench;
import io.tributary.bench.extract.ExtractBench;
import io.tributary.bench.journal.JournalBench;
import io.tributary.bench.latency.LatencyBench;
import io.tributary.bench.made.LargeBench;
import io.tributary.bench.made.TablesBench;
import io.tributary.bench.merge.MergeBench;
import io.tributary.bench.pipeline.PipelineBench;
import io.tributary.bench.pipeline.ScaleBench;
import io.tributary.bench.pipeline.StoreBench;
import io.tributary.bench.readers.ReadersBench;
import io.tributary.bench.replay.ReplayBench;
import io.tributary.bench.reshape.ReshapeBench;
import io.tributary.bench.seed.SeedBench;
import io.tributary.bench.sink.SinkBench;
import io.tributary.bench.write.WriteBench;
import io.tributary.node.log.Logging;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The command line of {@code bin/bench}, with a subcommand for each bench. */
@Command(
        name = "bin/bench",
        mixinStandardHelpOptions = true,
        description = "Measures Tributary. See docs/performance.md for the results.",
        synopsisSubcommandLabel = "NAME")
public final class Bench {
    private Bench() {}

    /** All benches, one per line, so that two changes that add one do not conflict. */
    private static List<Benchmark> all() {
        return List.of(
                new ApplyBench(), //
                new CollectBench(), //
                new ExtractBench(), //
                new JournalBench(), //
                new LargeBench(), //
                new LatencyBench(), //
                new MergeBench(), //
                new PipelineBench(), //
                new ReadersBench(), //
                new ReplayBench(), //
                new ReshapeBench(), //
                new ScaleBench(), //
                new SeedBench(), //
                new SinkBench(), //
                new StoreBench(), //
                new TablesBench(), //
                new WriteBench());
    }

    public static void main(String[] arguments) {
        Logging.use();
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Bench());
        for (Benchmark bench : all()) {
            CommandLine command = new CommandLine(bench);
            command.addMixin("run", new RunOptions());
            line.addSubcommand(command);
        }
        line.registerConverter(int.class, new WholeNumber());
        return line.setExecutionStrategy(Bench::run);
    }

    private static int run(ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        CommandLine line = parsed.commandSpec().commandLine();
        if (!parsed.hasSubcommand()) {
            line.usage(line.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        CommandLine chosen = parsed.subcommand().commandSpec().commandLine();
        run(
                chosen.getCommandName(),
                chosen.getCommand(),
                (RunOptions) chosen.getMixins().get("run"),
                line.getOut());
        return CommandLine.ExitCode.OK;
    }

    private static void run(String name, Benchmark bench, RunOptions options, PrintWriter out) {
        String machine = MachineFacts.line(); // measured before the bench adds its own load
        out.println(name + " on " + machine);
        out.flush();
        try {
            List<Figure> figures = bench.run(options);
            out.println();
            out.print(FigureTable.of(figures));
            out.flush();
            if (options.json().isPresent()) {
                FigureLines.write(options.json().get(), figures, machine);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(name + " failed: " + e.getMessage(), e);
        }
    }
}
