package io.tributary.collector.order;

import io.tributary.collector.order.xa.TransactionRegistry;
import io.tributary.collector.order.xa.TwoPhaseCommitRules;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut;
import io.tributary.store.HeldTokens;

/** Makes orders for tests: tokens stay on the heap, and no transaction is ever reported as in doubt. */
public final class XaOrders {
    private XaOrders() {}

    /** @param schema made from the same cut */
    public static XaOrder of(Cut start, SchemaOrder schema, TransactionSink sink) {
        return new XaOrder(
                states(start, schema),
                schema,
                sink,
                new TransactionRegistry(Long.MAX_VALUE, new ProtocolViolations()),
                new TwoPhaseCommitRules());
    }

    static ShardStates states(Cut start, SchemaOrder schema) {
        return new ShardStates(start, shard -> HeldTokens.unbounded(), schema.questions());
    }
}
