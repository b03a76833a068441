package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.xa.TransactionRegistry;
import io.tributary.collector.order.xa.TwoPhaseCommitRules;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.CountedPayload;
import java.util.List;
import java.util.function.Function;

/** A {@link XaOrder} over three shards whose logs are written by hand; the output is text such as {@code 0:1+1:3}. */
public final class OrderHarness {
    public static final Xid X0 = Tokens.xid("x", "0");
    public static final Xid X1 = Tokens.xid("x", "1");
    public static final Xid Y0 = Tokens.xid("y", "0");

    public final CountedPayload.Counter payloads = new CountedPayload.Counter();
    final ProtocolViolations violations = new ProtocolViolations();
    public final Tokens[] logs = {new Tokens(0), new Tokens(1), new Tokens(2)};
    final TextOutput text = new TextOutput(Branch::prepare);
    public final List<String> output = text.lines();
    public Cut cut = Tokens.firstCut(3);
    private final Function<String, HeldTokens> held;
    public SchemaOrder schema;
    public XaOrder order;

    public OrderHarness() {
        this(shard -> HeldTokens.unbounded());
    }

    public OrderHarness(Function<String, HeldTokens> held) {
        this.held = held;
        this.order = newOrder();
    }

    private XaOrder newOrder() {
        schema = TestSchema.listed(cut);
        return new XaOrder(
                new ShardStates(cut, held, schema.questions()),
                schema,
                text,
                new TransactionRegistry(1000, violations),
                new TwoPhaseCommitRules());
    }

    public void restart() {
        cut = order.cut(1, cut.number() + 1, 0, 0);
        order.close();
        assertEquals(0, payloads.held());
        order = newOrder();
    }

    public void feed(Token... tokens) {
        for (Token token : tokens) {
            order.receive(token);
            while (order.process()) {}
        }
    }

    public Token local(int shard) {
        return logs[shard].local(payloads.take());
    }

    public Token prepare(int shard, Xid xid) {
        return logs[shard].prepare(xid, payloads.take());
    }

    public void round(long round) {
        feed(logs[0].round(round), logs[1].round(round), logs[2].round(round));
    }

    /** The GTIDs that a new collector would read again. */
    public GtidSet difference() {
        GtidSet again = GtidSet.EMPTY;
        for (Cut.ShardCut each : order.cut(1, 1, 0, 0).shards()) {
            again = again.union(each.frontier().minus(each.resume()));
        }
        return again;
    }

    public Token renewed(Token token) {
        return Tokens.again(token, token.shard(), payloads.take());
    }
}
