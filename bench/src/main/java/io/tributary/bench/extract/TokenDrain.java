package io.tributary.bench.extract;

import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Token;

/** A stage that accepts tokens and releases their payload at once. */
final class TokenDrain implements Stage {
    private static final int AT_ONCE = 1024;

    private final Inlet<Token> in;
    private final Count tokens = new Count();

    TokenDrain(Inlet<Token> in) {
        this.in = in;
    }

    /** The number of tokens so far; for any thread. */
    long tokens() {
        return tokens.value();
    }

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public int doWork() {
        int done = 0;
        for (Token token = in.poll(); token != null; token = done < AT_ONCE ? in.poll() : null) {
            token.release();
            done++;
        }
        tokens.add(done);
        return done;
    }

    @Override
    public void close() {
        while (doWork() > 0) {}
    }
}
