package io.tributary.sink.run;

import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.SinkPosition;
import io.tributary.sink.encode.EncodePlan;
import io.tributary.sink.encode.SinkSlot;
import io.tributary.sink.encode.SlotEncoder;
import io.tributary.sink.encode.SlotFiller;
import io.tributary.sink.encode.SlotFlow;
import io.tributary.sink.kafka.Outbox;
import io.tributary.sink.kafka.SinkPlace;
import io.tributary.sink.route.TopicNames;
import io.tributary.sink.snapshot.Snapshot;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run: the calling thread reads the stream, workers encode, one thread sends. */
final class SinkRun implements StreamReader.Turns {
    private static final Logger LOG = LoggerFactory.getLogger(SinkRun.class);

    private final SinkPlan plan;
    private final Clock clock;
    private final SinkFigures figures;
    private final Outbox outbox;
    private final SlotSender sender;
    private final SinkPlace start;
    private final Sid sid;
    private final StreamReader.Replica replica;
    private final SlotFlow flow;
    private final SlotFiller filler;

    /**
     * What it begins with.
     *
     * @param sid of the stream
     * @param outbox used by the sender only
     * @param sender with this outbox
     * @param place of the sink, null for none
     * @param replica as which the stream is read
     */
    record Begin(Sid sid, Outbox outbox, SlotSender sender, SinkPlace place, StreamReader.Replica replica) {}

    SinkRun(SinkPlan plan, Begin begin, SinkFigures figures, Clock clock) {
        this.plan = plan;
        this.clock = clock;
        this.figures = figures;
        this.outbox = begin.outbox();
        this.sender = begin.sender();
        this.start = begin.place();
        this.replica = begin.replica();
        this.flow = new SlotFlow(plan.limits().workers(), plan.limits().memory(), figures, clock);
        this.sid = begin.sid();
        long last = start == null ? 0 : start.transaction().gtid().gno();
        this.filler = new SlotFiller(flow, plan.messages().selection().tables(), sid, last);
    }

    /** How far it is. Any thread. */
    SinkPosition position() {
        ChangeTransaction before = start == null ? null : start.finished();
        ChangeTransaction read = filler.newest();
        ChangeTransaction committed = outbox.committed();
        return new SinkPosition(
                Optional.ofNullable(read == null ? before : read),
                Optional.ofNullable(committed == null ? before : committed),
                Optional.ofNullable(sender.oldest()),
                Optional.ofNullable(sender.copied()));
    }

    /**
     * The transactions that are not read.
     *
     * @param last the newest one of the stream that is sent, null for none
     */
    private GtidSet executed(ChangeTransaction last) {
        GtidSet first = plan.delivery().start().orElse(GtidSet.EMPTY);
        if (last == null) {
            return first;
        }
        GtidSet.Builder all = GtidSet.EMPTY.toBuilder();
        all.addRange(sid, 1, last.gtid().gno());
        all.addAll(others(first, sid));
        return all.build();
    }

    /** The transactions of other servers, which a MySQL server may have from before. */
    private static GtidSet others(GtidSet all, Sid sid) {
        long last = all.sids().contains(sid) ? all.last(sid) : 0;
        return last == 0
                ? all
                : all.minus(GtidSet.EMPTY.toBuilder().addRange(sid, 1, last).build());
    }

    /** Reads until an error or an interrupt. The outbox is closed afterwards. */
    void run(MysqlClient client, Peer node, ExecutorService executor) {
        RunThreads threads = new RunThreads(executor, flow::fail);
        try (outbox) {
            try (ServerDefinitions definitions = new ServerDefinitions(client, node)) {
                start(threads);
                GtidSet executed = executed(snapshot(client, node, definitions));
                LOG.info("sink starts: sink={} node={} executed={}", plan.name(), node.name(), executed.line());
                StreamReader reader = new StreamReader(client, node, replica, clock);
                reader.follow(new ChangeInput(filler, definitions), executed, this);
            } finally {
                flow.close();
                threads.end();
            }
        }
    }

    /** Sends the rows of a snapshot, or what is left of them; returns the transaction after which the stream is read, null for none. */
    private ChangeTransaction snapshot(MysqlClient client, Peer node, ServerDefinitions definitions) {
        Optional<Snapshot.Unfinished> unfinished = Optional.ofNullable(start)
                .flatMap(SinkPlace::copy)
                .map(place -> new Snapshot.Unfinished(start.transaction(), place));
        Optional<Peer> server = plan.delivery().snapshot();
        boolean isCopied = start != null && unfinished.isEmpty();
        if (isCopied || server.isEmpty() && unfinished.isEmpty()) {
            return isCopied ? start.transaction() : null;
        }
        if (server.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SINK_SNAPSHOT_UNFIT,
                    "sink " + plan.name() + ": expected sink.snapshot, because only a part of the rows at "
                            + start.transaction().gtid() + " was sent ("
                            + start.copy().orElseThrow()
                            + "), found none | set it again; or begin with another sink.name and new topics");
        }
        return new Snapshot(client, node, server.get(), sid, plan.messages().selection())
                .send(filler, definitions, unfinished, clock);
    }

    private void start(RunThreads threads) {
        EncodePlan encoding = new EncodePlan(
                plan.messages(),
                new TopicNames(plan.target().topics().expression()),
                plan.delivery().large(),
                plan.limits().messageBytes());
        for (int i = 0; i < plan.limits().workers(); i++) {
            int worker = i;
            SlotEncoder encoder = new SlotEncoder(encoding, figures, clock);
            threads.start(() -> flow.encode(worker, encoder));
        }
        threads.start(this::send);
    }

    private void send() {
        while (!flow.hasEnded()) {
            SinkSlot slot = flow.next(sender.waitNanos());
            if (slot == null) {
                sender.idle();
            } else {
                sender.send(slot);
                flow.sent(slot);
            }
        }
    }

    @Override
    public void turn() {
        flow.check();
    }

    @Override
    public void idle() {
        filler.flush();
    }
}
