package io.tributary.node.task;

import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Token;
import io.tributary.node.process.FailureSink;

/**
 * The receiver of a relay's tokens.
 *
 * @param tokens merged
 * @param sender stage that reads the tokens and sends them
 * @param failure notified at most once
 */
public record TokenSink(Outlet<Token> tokens, Stage sender, FailureSink failure) {}
