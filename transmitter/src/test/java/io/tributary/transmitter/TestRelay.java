package io.tributary.transmitter;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Token;
import io.tributary.testkit.WakeupOnly;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A relay whose pipeline is a supplier of tokens, one for each stream. */
final class TestRelay implements TokenSource {
    private final int shards;
    private final Supplier<Supplier<Token>> makers;
    private final List<Cut> opened = new CopyOnWriteArrayList<>();
    private volatile RoundRequest demand;
    private volatile Map<String, List<HiddenTable>> hidden = Map.of();

    /** @param makers gives for each stream the supplier of its tokens; null = none now */
    TestRelay(int shards, Supplier<Supplier<Token>> makers) {
        this.shards = shards;
        this.makers = makers;
    }

    List<Cut> opened() {
        return opened;
    }

    /** The start of the stream that was opened last. */
    Map<String, List<HiddenTable>> hidden() {
        return hidden;
    }

    /** The request of the stream that was opened last; null before the first. */
    RoundRequest demand() {
        return demand;
    }

    @Override
    public Set<String> shards() {
        return new TreeSet<>(
                IntStream.range(0, shards).mapToObj(TokenMaker::shardName).toList());
    }

    @Override
    public String settings() {
        return "server.id=7";
    }

    @Override
    public StreamSource.Running open(
            Start start, RoundRequest requests, Outlet<Token> sink, Stage sender, StreamSource.Failure failure) {
        opened.add(start.cut());
        hidden = start.hidden();
        demand = requests;
        StageRunner runner = new StageRunner((stage, cause) -> failure.failed(
                cause instanceof TributaryException known
                        ? known
                        : new TributaryException(ErrorCode.INTERNAL, stage.name() + ": " + cause, cause)));
        runner.onOwnThread(new Making(makers.get(), sink))
                .onOwnThread(new WakeupOnly(sender))
                .start();
        return runner::close;
    }

    private record Making(Supplier<Token> maker, Outlet<Token> sink) implements Stage {
        @Override
        public String name() {
            return "make";
        }

        @Override
        public int doWork() {
            Token token = sink.hasRoom() ? maker.get() : null;
            if (token == null) {
                return 0;
            }
            sink.put(token);
            return 1;
        }

        @Override
        public void close() {}
    }
}
