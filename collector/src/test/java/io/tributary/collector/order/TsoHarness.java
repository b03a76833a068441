package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.tso.TsoOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.CountedPayload;
import java.util.List;

/** A {@link TsoOrder} over at most three shards whose sorted tokens are written by hand; the output is text like that of {@link OrderHarness}. */
public final class TsoHarness implements AutoCloseable {
    public final CountedPayload.Counter payloads = new CountedPayload.Counter();
    public final ProtocolViolations violations = new ProtocolViolations();
    public final Tokens[] logs = {Tokens.ofTsoOrder(0), Tokens.ofTsoOrder(1), Tokens.ofTsoOrder(2)};
    final TextOutput text = new TextOutput(Branch::commit);
    public final List<String> output = text.lines();
    public SchemaOrder schema;
    public TsoOrder order;

    /** @param shards number of shards from the first cut */
    public TsoHarness(int shards) {
        order = newOrder(Tokens.firstCut(shards));
    }

    private TsoOrder newOrder(Cut cut) {
        schema = TestSchema.listed(cut, "t");
        return new TsoOrder(cut, schema, text, violations, shard -> HeldTokens.unbounded());
    }

    public void restart(Cut cut) {
        order.close();
        order = newOrder(cut);
    }

    public void feed(Token... tokens) {
        for (Token token : tokens) {
            order.receive(token);
            processAll();
        }
    }

    public void processAll() {
        while (order.process()) {}
    }

    public Token prepare(int shard, String gtrid, long tso) {
        return logs[shard]
                .prepare(Tokens.xid(gtrid, Integer.toString(shard)), payloads.take())
                .withTso(tso);
    }

    public Token commit(int shard, String gtrid, long tso) {
        Xid xid = Tokens.xid(gtrid, Integer.toString(shard));
        return logs[shard].commit(xid).withTso(tso);
    }

    public void branch(int shard, String gtrid, long tso) {
        feed(prepare(shard, gtrid, tso), commit(shard, gtrid, tso));
    }

    /** Closes the order; every payload must have been released. */
    @Override
    public void close() {
        order.close();
        assertEquals(0, payloads.held());
    }
}
