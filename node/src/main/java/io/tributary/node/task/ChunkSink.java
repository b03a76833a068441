package io.tributary.node.task;

import io.tributary.common.pipeline.Outlet;
import io.tributary.common.value.Chunk;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.ThreadPlan;

/**
 * The receiver of a pipeline's chunks.
 *
 * @param chunks numbered from 1
 * @param threads contains the stages after the chunks, which run and are closed with those of the pipeline
 * @param failure notified at most once
 */
public record ChunkSink(Outlet<Chunk> chunks, ThreadPlan threads, FailureSink failure) {}
