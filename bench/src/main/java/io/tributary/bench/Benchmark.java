package io.tributary.bench;

import java.util.List;

/**
 * Something that {@code bin/bench NAME} runs: a picocli command, whose name and description its annotation tells and whose own options
 * are its fields. {@code --json} and {@code --runs} come on top, and what it measured is printed and written for it.
 */
public interface Benchmark {
    /** Runs it as often as the options say; fails where what it measured did not do its work. */
    List<Figure> run(RunOptions options) throws Exception;
}
