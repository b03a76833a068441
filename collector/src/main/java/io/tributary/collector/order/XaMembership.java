package io.tributary.collector.order;

import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * `xa`: the set of shards from which rounds are demanded, and how it changes at a round.
 *
 * <p>A shard comes in three steps. It is expected: from then on no distributed transaction is complete until this shard's
 * rounds have come too. Then the position is chosen from which on it counts: a transaction of which a branch is prepared behind that
 * position, or is not decided there, was not emitted before. Then it joins with that position, is in the cut from there on, and with its
 * first round the others go on.
 *
 * <p>A shard goes at one of its rounds: all in front of that has been processed, none of its branches is open, and between
 * this round and the one before, both begun after the shard was asked to go, nothing was logged.
 */
final class XaMembership implements Membership {
    private final ShardLines lines;
    private final RoundWatch rounds;
    private final Completeness completeness;
    private final SchemaOrder schema;
    private final Rules rules;
    private final Map<Integer, ShardCut> left = new HashMap<>();

    XaMembership(ShardLines lines, RoundWatch rounds, Completeness completeness, SchemaOrder schema, Rules rules) {
        this.lines = lines;
        this.rounds = rounds;
        this.completeness = completeness;
        this.schema = schema;
        this.rules = rules;
    }

    /** From now on no distributed transaction is complete until its rounds have come too. */
    @Override
    public int expect() {
        int shard = lines.expect();
        rounds.demand();
        if (!rules.demandsRounds()) {
            rounds.release(shard, completeness::changed);
        }
        return shard;
    }

    @Override
    public boolean giveUp(int shard) {
        if (lines.get(shard) != null) {
            return false;
        }
        rounds.release(shard, completeness::changed);
        lookAgain();
        return true;
    }

    /** It stands in every cut from now on. */
    @Override
    public void join(int shard, ShardCut from) {
        schema.join(shard, from);
        lines.join(shard, from).presence().join();
    }

    @Override
    public boolean isJoined(int shard) {
        ShardLine line = lines.get(shard);
        return line != null && line.isCaughtUp() && !line.presence().isJoining();
    }

    /** A round has been received from a shard. */
    void roundReceived(ShardLine line) {
        if (line.presence().isJoining()) {
            line.presence().joined();
            lookAgain();
        }
    }

    /** What was complete but for the round of this shard had not been noted as waiting for it. */
    private void lookAgain() {
        lines.forEach(each -> completeness.changed(each.waitsFor()));
    }

    /** A statement that a shard had before it joined. */
    void statementBefore(ShardLine line, Token token) {
        if (!line.presence().isJoining()) {
            return;
        }
        if (token.ddl() != null) {
            schema.changes().hadBefore(token.ddl(), line.shard());
        }
        schema.changes().hidden(token);
    }

    // ---- going

    @Override
    public void askToLeave(int shard, long afterRound) {
        lines.get(shard).presence().leaveAfter(afterRound);
    }

    @Override
    public void stay(int shard) {
        ShardLine line = lines.get(shard);
        if (line != null) {
            line.presence().stay();
        }
    }

    @Override
    public ShardCut left(int shard) {
        return left.get(shard);
    }

    /**
     * A token of the shard has been processed.
     *
     * @return whether the shard has left with it
     */
    boolean processed(ShardLine line, Token token) {
        boolean isDue = token.kind() == TokenKind.ROUND && line.presence().wasQuietBefore(token.round())
                || !rules.leavesAtARound();
        if (!isDue || !hindrances(line).isEmpty()) {
            return false;
        }
        left.put(line.shard(), line.cut());
        lines.leave(line);
        line.close();
        schema.leave(line.shard());
        rounds.release(line.shard(), completeness::changed);
        return true;
    }

    @Override
    public List<String> hindrances(int shard) {
        ShardLine line = lines.get(shard);
        return line == null ? List.of() : hindrances(line);
    }

    private List<String> hindrances(ShardLine line) {
        List<String> hindrances = new ArrayList<>();
        if (!line.isCaughtUp()) {
            hindrances.add("it is still read again up to the last cut");
        }
        if (rules.leavesDecided()) {
            line.undecided()
                    .keySet()
                    .forEach(xid -> hindrances.add("XA " + xid + " is prepared there and not decided: run XA COMMIT "
                            + xid + " or XA ROLLBACK " + xid));
            for (Branch branch = line.pending().first(); branch != null; branch = branch.next()) {
                if (branch.isCommitted()) {
                    hindrances.add("XA " + branch.xid() + " has committed there and waits for its other branches");
                }
            }
        }
        if (line.isWaiting()) {
            hindrances.add("it waits for " + line.waitsFor().xid());
        }
        if (schema.isHeld(line.shard())) {
            hindrances.add("it waits at a statement, or an operator has to decide: see tributary ddl list");
        }
        if (!line.presence().isQuiet() && rules.leavesAtARound()) {
            hindrances.add("transactions are still logged there: no round has come behind the last one");
        }
        return hindrances;
    }
}
