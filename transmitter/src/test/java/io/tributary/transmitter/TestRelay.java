package io.tributary.transmitter;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Token;
import io.tributary.testkit.OnlyWoken;
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
    private volatile RoundDemand demand;
    private volatile Map<String, List<HiddenTable>> hidden = Map.of();

    /** @param makers gives for each stream what makes its tokens; null = none now */
    TestRelay(int shards, Supplier<Supplier<Token>> makers) {
        this.shards = shards;
        this.makers = makers;
    }

    List<Cut> opened() {
        return opened;
    }

    /** What the stream that was opened last begins with. */
    Map<String, List<HiddenTable>> hidden() {
        return hidden;
    }

    /** Of the stream that was opened last; null before. */
    RoundDemand demand() {
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
            Start start, RoundDemand wishes, Outlet<Token> sink, Stage sender, StreamSource.Failure failure) {
        opened.add(start.cut());
        hidden = start.hidden();
        demand = wishes;
        StageRunner runner = new StageRunner((stage, cause) -> failure.failed(
                cause instanceof TributaryException known
                        ? known
                        : new TributaryException(ErrorCode.INTERNAL, stage.name() + ": " + cause, cause)));
        runner.onOwnThread(new Making(makers.get(), sink))
                .onOwnThread(new OnlyWoken(sender))
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
