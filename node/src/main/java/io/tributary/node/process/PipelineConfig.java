package io.tributary.node.process;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;

/**
 * The keys of the links and threads between the stages.
 *
 * @param tokens tokens in each link before the collector
 * @param chunks bytes in the link between collector and writer
 * @param fanIn maximum number of sources of one merger
 * @param threads which stages share a thread
 */
public record PipelineConfig(
        @Key(
                value = "link.tokens",
                byDefault = "8192",
                min = "16",
                max = "1048576",
                about = "Tokens that may wait in each link from extractor to merger to collector.")
        int tokens,

        @Key(
                value = "link.chunks",
                byDefault = "16MiB",
                min = "64KiB",
                max = "4GiB",
                about = "Bytes that may wait between collector and writer in a standalone node.")
        ByteSize chunks,

        @Key(
                value = "merger.fan-in",
                byDefault = "16",
                min = "2",
                max = "4096",
                about = "Maximum number of shards or relays of one merger; with more, mergers form a tree.")
        int fanIn,

        @Key(
                value = "pipeline.threads",
                byDefault = "auto",
                about = "Whether each stage has its own thread, or consecutive stages share one (auto:"
                        + " they share one on machines with up to 4 cores).")
        ThreadPlan.Policy threads) {
    /** An empty thread plan for this machine. */
    public ThreadPlan plan() {
        return new ThreadPlan(threads, Runtime.getRuntime().availableProcessors());
    }
}
