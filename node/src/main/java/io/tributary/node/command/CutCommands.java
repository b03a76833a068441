package io.tributary.node.command;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.DdlOrder;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.node.command.NodeOrder.Appended;
import java.util.List;
import java.util.Optional;

/** What an operator's order makes of the last cut of a stopped node, or what stands against it. */
final class CutOrders {
    private CutOrders() {}

    /** @throws TributaryException ORDER_REFUSED where nothing has the id */
    static List<SchemaItem> one(List<SchemaItem> items, String id) {
        return List.of(items.stream()
                .filter(item -> item.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new TributaryException(ErrorCode.ORDER_REFUSED, gone(id))));
    }

    private static String gone(String id) {
        return "nothing that is under way has the id " + id
                + ": it is complete or decided, or never was; tributary ddl list shows what there is";
    }

    /**
     * Of a statement or a question.
     *
     * @throws TributaryException ORDER_REFUSED where the cut has none of that id
     */
    static Appended of(Cut cut, DdlOrder order) {
        Optional<HeldQuestion> question = cut.schema().questions().stream()
                .filter(each -> each.id().equals(order.id()))
                .findFirst();
        boolean isPending = cut.schema().pending().stream()
                .anyMatch(each -> each.part().id().equals(order.id()));
        if (question.isEmpty() && !isPending) {
            throw new TributaryException(ErrorCode.ORDER_REFUSED, gone(order.id()));
        }
        if (order.verb() == DdlOrder.Verb.TEXT) {
            throw new TributaryException(
                    ErrorCode.ORDER_REFUSED,
                    "expected a running node, which checks the text against the definitions of its tables, found a stopped one:"
                            + " start the node and run the command again");
        }
        if (order.verb() == DdlOrder.Verb.SKIP) {
            HeldQuestion held = question.orElseThrow(() -> new TributaryException(
                    ErrorCode.ORDER_REFUSED,
                    "expected what holds a shard, found that " + order.id()
                            + " is written already: nothing is left to be left out"));
            return skip(cut, held.shard(), held.gtid(), Optional.empty());
        }
        requireFits(cut, order, question);
        return cut.schema().orders().contains(order)
                ? new Appended(Optional.empty(), "already ordered: " + shown(order))
                : new Appended(
                        Optional.of(cut.ordering(order)),
                        "ordered: " + shown(order) + "; start the node, it carries it out");
    }

    /** What a running node would refuse too. */
    private static void requireFits(Cut cut, DdlOrder order, Optional<HeldQuestion> question) {
        boolean isStatement = question.isEmpty() || question.get().question().code() == ErrorCode.DDL_WAITS;
        if (!isStatement) {
            throw new TributaryException(
                    ErrorCode.ORDER_REFUSED,
                    "expected `tributary ddl skip " + order.id() + "` for a transaction at which shard "
                            + question.get().shard() + " is held, found ddl "
                            + order.verb().word());
        }
        boolean removesRows = question.isPresent()
                || cut.schema().pending().stream()
                        .anyMatch(each -> each.part().id().equals(order.id())
                                && each.part().removesRows()
                                && !each.event().hasRemaining());
        boolean isWrite = order.verb() == DdlOrder.Verb.EMIT || order.verb() == DdlOrder.Verb.DONE;
        if (isWrite && removesRows && !order.acceptsLoss()) {
            throw new TributaryException(
                    ErrorCode.ORDER_REFUSED,
                    "expected --accept-loss: rows of members that lack the statement are missing on the replicas then");
        }
    }

    private static String shown(DdlOrder order) {
        return order.verb().word() + " " + order.id() + (order.member().isEmpty() ? "" : " of " + order.member())
                + (order.acceptsLoss() ? ", rows may be lost" : "");
    }

    /**
     * To leave out the transaction at which a shard is held.
     *
     * @param until if present, also all later ones of its source up to it that have to be refused
     * @throws TributaryException SKIP_REFUSED where the shard is not held at it
     */
    static Appended skip(Cut cut, String shard, Gtid gtid, Optional<Gtid> until) {
        Cut.ShardCut from = cut.shards().stream()
                .filter(each -> each.name().equals(shard))
                .findFirst()
                .orElseThrow(() -> refused("expected one of the shards "
                        + cut.shards().stream().map(Cut.ShardCut::name).toList() + ", found '" + shard + "'"));
        GtidSet range = GtidSet.EMPTY.toBuilder()
                .addRange(gtid.sid(), gtid.gno(), until.map(Gtid::gno).orElse(gtid.gno()))
                .build();
        String what = gtid + (until.isEmpty() ? "" : " to " + until.get()) + " of shard " + shard;
        GtidSet ordered = until.isEmpty() ? from.leftOut() : from.leftOutIfRefused();
        if (range.minus(ordered).isEmpty()) {
            return new Appended(Optional.empty(), "already ordered: " + what + " is left out");
        }
        if (from.frontier().contains(gtid.sid(), gtid.gno())) {
            throw refused(
                    gtid + " of shard " + shard + " has been processed already: it stands in the binlog, or held no"
                            + " rows; nothing can be left out behind cut " + cut.number());
        }
        requireHeld(cut, shard, gtid);
        Cut next = until.isEmpty() ? cut.leavingOut(shard, gtid) : cut.leavingOutRefused(shard, range);
        return new Appended(
                Optional.of(next),
                "ordered: " + what + " will be left out" + (until.isEmpty() ? "" : " where they have to be refused")
                        + "; start the node. The rows are missing from the global binlog from now on: bring them to the"
                        + " readers by hand");
    }

    /** Any other transaction stands in the binlog, or will. */
    private static void requireHeld(Cut cut, String shard, Gtid gtid) {
        Optional<HeldQuestion> held = cut.schema().questions().stream()
                .filter(each -> each.shard().equals(shard))
                .findFirst();
        if (held.isEmpty()) {
            throw refused("expected the transaction at which shard " + shard + " is held, found " + gtid
                    + ", and cut " + cut.number()
                    + " says of none: start the node, it names the transaction and takes the command while it runs");
        }
        if (!held.get().gtid().equals(gtid)) {
            throw refused("expected " + held.get().gtid() + ", at which shard " + shard + " is held, found " + gtid
                    + "; it is held because: " + held.get().question().code() + ": "
                    + held.get().question().message());
        }
    }

    static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.SKIP_REFUSED, message);
    }
}
