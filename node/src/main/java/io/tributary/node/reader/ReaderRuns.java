package io.tributary.node.reader;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.ReaderStatus;
import io.tributary.replay.session.Peer;

/**
 * The runs of a role that reads other nodes, one after another, until the node is stopped. After a failure it pauses and begins another run, which
 * resumes from the stored progress; if the failure is one of the node that was read, the next one of the nodes is read. Only a wrong configuration or a
 * contradiction ends the node.
 */
public final class ReaderRuns implements AutoCloseable {
    private final ReaderName name;
    private final ReaderWork work;
    private final Supervisor supervisor;
    private final ReaderState state;
    private final NewestOfNode newestOfNode;
    private final ReaderLag lag;
    private volatile int turn; // of the nodes
    private volatile Peer node;
    private volatile FailureSink current = cause -> {};

    /**
     * Two names of a reader.
     *
     * @param role such as apply, which begins the names of its threads
     * @param held the code in the log while an operator has to correct something
     */
    public record ReaderName(String role, ErrorCode held) {}

    /** @param client for the sessions on the nodes; its owner closes it after these runs */
    public ReaderRuns(ReaderName name, ReaderWork work, MysqlClient client, NodeEnvironment environment) {
        this.name = name;
        this.work = work;
        this.supervisor = new Supervisor(
                environment.stop(), Backoff.upTo(() -> work.retry().toNanos()), work::transactions);
        this.state = new ReaderState(supervisor, work::transactions, environment.clock());
        this.node = work.nodes().node(turn);
        this.newestOfNode = new NewestOfNode(name.role() + "-lag", client, () -> node, environment.stop());
        this.lag = new ReaderLag(work::place, newestOfNode::last, environment.clock());
    }

    /**
     * Returns when the node is stopped and the last run has ended.
     *
     * @throws TributaryException what ended the node
     */
    public void run() throws InterruptedException {
        newestOfNode.begin(lag::remember);
        supervisor.run(this::start);
    }

    private AutoCloseable start(FailureSink failure) {
        current = failure; // before the keys are read, so that a change of them ends this run
        work.prepare();
        Peer from = work.nodes().node(turn);
        node = from;
        state.begins();
        ReaderRun run = new ReaderRun(name.role(), from);
        run.begin(work, cause -> ended(cause, failure));
        return run;
    }

    private void ended(TributaryException cause, FailureSink failure) {
        lag.remember();
        if (cause.code() == ErrorCode.NODE_UNREACHABLE || cause.code() == ErrorCode.READER_REFUSED) {
            turn = Math.floorMod(turn + 1, work.nodes().addresses().size());
        }
        state.failed(cause);
        failure.failed(Failures.held(cause, name.held()));
    }

    /**
     * Uses changed live keys. If the node of the run, or its destination, has changed, the run ends, and another one begins. Any thread.
     *
     * @param isElsewhere whether the destination has changed
     */
    public void update(boolean isElsewhere) {
        int same = work.nodes().turnOf(node);
        turn = Math.max(0, same);
        if (same < 0 || isElsewhere) {
            current.failed(new TributaryException(
                    ErrorCode.STREAM_RENEWED, "addresses or accounts of " + name.role() + ".* have changed"));
        }
    }

    /** The state of the node: {@code running}, {@code held: ...}. Any thread. */
    public String state() {
        return state.text();
    }

    /** Whether it works, or would if there were transactions. Any thread. */
    public boolean isHealthy() {
        return state.isHealthy();
    }

    /** Whether there is a run now. Any thread. */
    public boolean isRunning() {
        return supervisor.isRunning();
    }

    /**
     * The status of the reader. Any thread.
     *
     * @param progress its name
     */
    public ReaderStatus status(String progress) {
        ReaderPlace now = work.place();
        return new ReaderStatus(
                state(),
                address(node),
                progress,
                new ReaderStatus.Progress(now.executed(), now.finished()),
                new ReaderStatus.Lag(lag.transactions(), lag.seconds()));
    }

    /** The address of a server. */
    public static HostPort address(Peer peer) {
        return new HostPort(peer.endpoint().host(), peer.endpoint().port());
    }

    /** How far it is behind. Any thread. */
    public ReaderLag lag() {
        return lag;
    }

    @Override
    public void close() {
        newestOfNode.close();
    }
}
