package io.tributary.bench;

import java.util.List;

/**
 * A benchmark that {@code bin/bench NAME} runs: a picocli command. Its annotation contains its name and description, its fields are its
 * options. {@link Bench} adds {@code --json} and {@code --runs}, and prints and writes its figures.
 */
public interface Benchmark {
    /** Runs it as often as the options require. Throws if the measured program did not do its work. */
    List<Figure> run(RunOptions options) throws Exception;
}
