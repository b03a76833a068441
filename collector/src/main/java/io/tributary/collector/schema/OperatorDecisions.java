package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.DdlOrder;
import java.util.ArrayList;
import java.util.List;

/** What operators ordered for statements that wait and has not been carried out yet. For one thread. */
final class OperatorOrders {
    /** A shorter beginning of an id names nothing. */
    private static final int SHORTEST_ID = 4;

    private final List<DdlOrder> orders;

    OperatorOrders(List<DdlOrder> orders) {
        this.orders = new ArrayList<>(orders);
    }

    static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.ORDER_REFUSED, message);
    }

    /** Whether an order is for what has this id: it names the id or its beginning. */
    static boolean isMeant(DdlOrder order, String id) {
        return order.id().equals(id) || order.id().length() >= SHORTEST_ID && id.startsWith(order.id());
    }

    void add(DdlOrder order) {
        orders.add(order);
    }

    void remove(DdlOrder order) {
        orders.remove(order);
    }

    List<DdlOrder> all() {
        return List.copyOf(orders);
    }

    /** Whether an order is there for a part that a member brings. */
    boolean concerns(Part part, String member) {
        return orders.stream().anyMatch(each -> isFor(each, part, member));
    }

    /** Takes out the order for a part that a member brings; null where there is none. */
    DdlOrder take(Part part, String member) {
        for (DdlOrder each : orders) {
            if (isFor(each, part, member)) {
                orders.remove(each);
                return each;
            }
        }
        return null;
    }

    /** Takes out all that write a part, or end the wait for it. */
    List<DdlOrder> takeAll(Part part) {
        List<DdlOrder> taken = new ArrayList<>();
        for (DdlOrder order = take(part, ""); order != null; order = take(part, "")) {
            taken.add(order);
        }
        return taken;
    }

    /** A member's statement has come without having waited: an order to ignore it is for no later one. */
    void forget(Part part, String member) {
        orders.removeIf(each -> (each.verb() == DdlOrder.Verb.IGNORE || each.verb() == DdlOrder.Verb.TEXT)
                && isMeant(each, part.id())
                && each.member().equals(member));
    }

    /** A shard takes part no more. */
    void forget(String shard) {
        orders.removeIf(each -> each.member().startsWith(shard + ":"));
    }

    private static boolean isFor(DdlOrder order, Part part, String member) {
        boolean isOfMember = order.verb() == DdlOrder.Verb.IGNORE || order.verb() == DdlOrder.Verb.TEXT;
        return isMeant(order, part.id()) && (!isOfMember || order.member().equals(member));
    }

    boolean skips(String id) {
        return orders.stream().anyMatch(each -> each.verb() == DdlOrder.Verb.SKIP && isMeant(each, id));
    }
}
