package io.tributary.collector.order;

import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.store.HeldTokens;
import java.util.List;
import java.util.function.Function;

/**
 * The order `xa`: puts the tokens of all shards into one order of whole transactions, by the four rules of ordering.md: {@link #receive},
 * {@link #process}, {@link #emitWhenComplete}, {@link #passEmitted}. Right for any interleaving that keeps each shard's
 * order. For one thread; amortised O(log shards) a token.
 */
public final class GlobalOrder implements TotalOrder {
    private final ShardLines lines;
    private final RunnableLines runnable;
    private final RoundWatch rounds;
    private final Instances instances;
    private final Completeness completeness;
    private final KnownBranches branches;
    private final InDoubtWatch inDoubt;
    private final Waits waits;
    private final SchemaOrder schema;
    private final HeldLines held;
    private final HeadCheck heads;
    private final Emission emission;
    private final XaMembership membership;

    private int queued;

    /**
     * @param start where to go on; has all shards in the order of their indexes
     * @param schema made from the same cut
     * @param emission takes the transactions
     * @param alarms told of what two-phase commit excludes
     * @param inDoubtNanos after which a transaction that is not complete is named
     * @param held where to say how many tokens of a shard wait, by its name
     */
    public GlobalOrder(
            Cut start,
            SchemaOrder schema,
            Emission emission,
            Alarms alarms,
            long inDoubtNanos,
            Function<String, HeldTokens> held) {
        this(start, schema, emission, alarms, inDoubtNanos, held, Rules.ALL);
    }

    GlobalOrder(
            Cut start,
            SchemaOrder schema,
            Emission emission,
            Alarms alarms,
            long inDoubtNanos,
            Function<String, HeldTokens> held,
            Rules rules) {
        this.emission = emission;
        this.lines = new ShardLines(start, rules.rereadsPending(), held, schema.questions());
        this.runnable = new RunnableLines(start.shards().size());
        this.inDoubt = new InDoubtWatch(inDoubtNanos);
        this.instances = new Instances(inDoubt, alarms);
        this.rounds = new RoundWatch(
                start.shards().stream().mapToLong(ShardCut::round).toArray(), rules.roundsAfterWindow());
        this.waits = new Waits(lines, rounds);
        this.completeness = new Completeness(lines, rounds, runnable, new Separation(instances), rules);
        this.branches = new KnownBranches(instances, rounds, completeness);
        this.schema = schema;
        this.held = new HeldLines(lines, runnable, schema);
        this.heads = new HeadCheck(schema, emission, this.held);
        this.membership = new XaMembership(lines, rounds, completeness, schema, rules);
    }

    // ---- rule 1: what a token says at once, whatever stands in front of it

    /**
     * Takes a token and notes what it says: a branch is known, a branch has committed, a round has come. Its payload belongs
     * to this object from here on. {@link #process} does the rest.
     */
    @Override
    public void receive(Token received) {
        Token token = received;
        ShardLine line = lines.get(token.shard());
        if (line == null) { // it has left
            token.release();
            return;
        }
        if (line.isReread(token)) {
            reread(line, token);
            return;
        }
        schema.changes().received(token);
        if (token.kind() == TokenKind.COMMIT && !line.undecided().containsKey(token.xid())) {
            token = token.asking(line.unknownBranch(token));
        }
        Branch branch = switch (token.kind()) {
            case PREPARE -> branches.prepared(line, token);
            case COMMIT -> token.question() == null ? branches.committed(line, token) : null;
            case ROLLBACK -> branches.rolledBack(line, token);
            default -> null;
        };
        boolean wasIdle = line.depth() == 0;
        line.receive(token, branch);
        queued++;
        if (wasIdle) {
            runnable.add(line);
        }
        switch (token.kind()) {
            case ROUND -> {
                rounds.received(line.shard(), token.round(), completeness::changed);
                membership.roundReceived(line);
            }
            case COMMIT, ROLLBACK -> completeness.changed(branch == null ? null : branch.transaction());
            default -> {}
        }
    }

    /** Below the cut's frontier only a branch that is still pending matters. */
    private void reread(ShardLine line, Token token) {
        switch (token.kind()) {
            case PREPARE -> branches.prepareReread(line, token);
            case COMMIT, ROLLBACK -> branches.decisionReread(line, token);
            case DDL, SKIPPED -> {
                membership.statementBefore(line, token);
                token.release();
            }
            default -> token.release();
        }
        if (lines.rereadOne(line)) {
            lines.forEach(each -> completeness.changed(each.waitsFor()));
        }
    }

    // ---- rule 2: the queues of the shards that do not wait, in key order

    /**
     * Processes one token: a local transaction is emitted, a branch becomes ready, a round passes. A shard whose statement waits, or that
     * an operator has to decide about, is held there, and the others go on.
     *
     * @return whether there was one; at most one transaction is emitted
     */
    @Override
    public boolean process() {
        if (schema.changes().hasDue()) {
            emission.statement(schema.changes().pollDue());
            return true;
        }
        held.retry();
        for (ShardLine line = runnable.first(); line != null; line = runnable.first()) {
            runnable.removeFirst();
            Token token = line.head();
            if (heads.mayProcess(token)) {
                process(line, token);
                return true;
            }
            held.add(line);
        }
        return false;
    }

    private void process(ShardLine line, Token token) {
        if (token.question() != null && token.kind() != TokenKind.PREPARE) { // left out, as an operator ordered
            token.release();
            advance(line, token);
            return;
        }
        Branch branch = line.headBranch();
        switch (token.kind()) {
            case LOCAL -> emission.local(token);
            case PREPARE -> branches.ready(branch);
            case COMMIT -> {
                if (branch.isEmitted()) {
                    passEmitted(token, branch);
                } else if (!emitWhenComplete(line, token, branch)) {
                    return;
                }
            }
            case DDL -> ddl(token);
            case SKIPPED -> schema.changes().hidden(token);
            case ROLLBACK, ROUND -> token.release();
        }
        advance(line, token);
    }

    private void advance(ShardLine line, Token token) {
        line.advance();
        queued--;
        if (line.presence().isLeaving() && leaves(line, token)) {
            return;
        }
        if (line.depth() > 0) {
            runnable.add(line);
        }
    }

    private boolean leaves(ShardLine line, Token processed) {
        int rest = line.depth();
        boolean leaves = membership.processed(line, processed);
        queued -= leaves ? rest : 0;
        return leaves;
    }

    private void ddl(Token token) {
        if (schema.changes().isSkipped(token)) {
            schema.questions().leaveOut(token);
        }
        emission.ddl(token, schema.changes().process(token));
    }

    // ---- rules 3 and 4: commits

    /**
     * The commit of a transaction that is not emitted: emits it, all branches joined, when it is complete; else this shard
     * waits here, and the others go on.
     */
    private boolean emitWhenComplete(ShardLine line, Token commit, Branch branch) {
        completeness.settle(branch.transaction());
        Distributed transaction = branch.transaction();
        if (!completeness.isComplete(transaction)) {
            transaction.addWaiting(line);
            return false;
        }
        List<Branch> prepared = transaction.branches();
        for (int i = 0; i < prepared.size(); i++) {
            if (!heads.admits(prepared.get(i).prepare())) {
                held.add(line);
                return false;
            }
        }
        long number = emission.distributed(transaction);
        Distributed later = transaction.later();
        instances.emitted(transaction, number);
        lines.open(transaction.branches());
        passEmitted(commit, branch);
        completeness.wake(transaction);
        completeness.changed(later);
        return true;
    }

    /** The commit of a transaction that was emitted passes. */
    private void passEmitted(Token commit, Branch branch) {
        branch.unlink();
        if (branch.transaction() != null) {
            emission.committed(commit, branch.transaction().number());
        }
    }

    // ---- what others ask

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public boolean awaitsRound() {
        return rounds.isAwaited();
    }

    @Override
    public int queued() {
        return queued;
    }

    @Override
    public int inDoubt() {
        return inDoubt.doubtful();
    }

    @Override
    public long commitMicros(int shard) {
        ShardLine line = lines.get(shard);
        return line == null ? 0 : line.commitMicros();
    }

    @Override
    public void tick(long nanoTime) {
        held.tick();
        inDoubt.tick(nanoTime, waits, completeness::breakCircle);
    }

    @Override
    public long oldestNanos() {
        return inDoubt.oldestNanos();
    }

    @Override
    public OrderSnapshot snapshot(int most, long epochMicros) {
        return inDoubt.snapshot(most, epochMicros, waits);
    }

    @Override
    public Cut cut(long epoch, long number, long transactions, long tableIds) {
        return lines.cut(epoch, number, transactions, tableIds, schema.watch()::state);
    }

    @Override
    public void close() {
        lines.forEach(ShardLine::close);
        queued = 0;
    }
}
