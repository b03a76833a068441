package io.tributary.node.command.top;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.output.Terminal;
import io.tributary.node.command.top.TopScreen.Line;
import io.tributary.node.command.top.TopScreen.Style;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary top}: shows rates and lag of a running node until q is pressed. */
@Command(
        name = "top",
        description = {
            "Shows rates and lag of a running node: shards, links between stages, readers. The screen is drawn again every second;",
            "q ends it. If the output is not a terminal, it is printed once, with the rates of one second."
        },
        mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
    private static final long STEP_MILLIS = 50;
    private static final int UNLIMITED = 10_000;

    private final StopSignal stop;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Seconds between two readings, from 1 to 60. Default: ${DEFAULT-VALUE}.")
    private int every;

    /** @param stop ends the screen */
    public TopCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (every < 1 || every > 60) {
            throw new ParameterException(spec.commandLine(), "--every: expected 1 to 60 seconds, found " + every);
        }
        AdminClient admin = new AdminClient(file);
        TopSample first = sample(admin);
        if (Terminal.isThere()) {
            return onTerminal(admin, first);
        }
        TimeUnit.SECONDS.sleep(every);
        PrintWriter out = spec.commandLine().getOut();
        new TopScreen(first, sample(admin)).lines(UNLIMITED).forEach(line -> out.println(line.text()));
        out.flush();
        return 0;
    }

    private static TopSample sample(AdminClient admin) throws InterruptedException {
        return TopSample.of(admin.body("/status"), Clock.SYSTEM.nanoTime());
    }

    private int onTerminal(AdminClient admin, TopSample first) throws InterruptedException {
        try (TopTerminal terminal = new TopTerminal(spec.commandLine().getOut(), Terminal.ansi() == Ansi.ON)) {
            TopSample before = first;
            TopSample now = first;
            while (true) {
                TopTerminal.Size size = terminal.size();
                terminal.draw(new TopScreen(before, now).lines(size.height()), size);
                if (isEnded(terminal)) {
                    return 0;
                }
                try {
                    TopSample next = sample(admin);
                    before = now;
                    now = next;
                } catch (TributaryException e) { // it may start again: the screen shows why there are no figures
                    terminal.draw(List.of(new Line(e.getMessage(), Style.ALERT)), size);
                    if (isEnded(terminal)) {
                        return 0;
                    }
                }
            }
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, "expected a terminal and the program stty, found " + e.getMessage(), e);
        }
    }

    /** Waits for the next reading; true if q is pressed or the process must stop. */
    private boolean isEnded(TopTerminal terminal) throws IOException, InterruptedException {
        for (long waited = 0; waited < TimeUnit.SECONDS.toMillis(every); waited += STEP_MILLIS) {
            int key = terminal.key();
            if (key == 'q' || key == 'Q' || stop.isRequested()) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
        return false;
    }
}
