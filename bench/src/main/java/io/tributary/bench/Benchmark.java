package io.tributary.bench;

import java.util.List;

/** Something that {@code bin/bench NAME} runs. */
public interface Benchmark {
    /** As the command line names it. */
    String name();

    /** What it measures, in one line. */
    String about();

    /** Runs it as often as the options say; fails where what it measured did not do its work. */
    List<Figure> run(BenchOptions options) throws Exception;
}
