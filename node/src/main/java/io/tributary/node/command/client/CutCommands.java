package io.tributary.node.command.client;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.node.command.client.NodeCommand.Appended;
import java.util.List;
import java.util.Optional;

/** The execution of an operator's decision on the last cut of a stopped node. */
public final class CutCommands {
    private CutCommands() {}

    /**
     * The item with an id.
     *
     * @throws TributaryException DECISION_REFUSED if there is none
     */
    public static List<SchemaItem> one(List<SchemaItem> items, String id) {
        return List.of(items.stream()
                .filter(item -> item.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new TributaryException(ErrorCode.DECISION_REFUSED, unknown(id))));
    }

    private static String unknown(String id) {
        return "expected an id that tributary ddl list shows, found " + id
                + ": it is complete or decided, or it never existed";
    }

    /**
     * Decides a statement or a question.
     *
     * @throws TributaryException DECISION_REFUSED if the cut has none with that id
     */
    public static Appended of(Cut cut, DdlDecision decision) {
        Optional<HeldQuestion> question = cut.schema().questions().stream()
                .filter(each -> each.id().equals(decision.id()))
                .findFirst();
        boolean isPending = cut.schema().pending().stream()
                .anyMatch(each -> each.part().id().equals(decision.id()));
        if (question.isEmpty() && !isPending) {
            throw new TributaryException(ErrorCode.DECISION_REFUSED, unknown(decision.id()));
        }
        if (decision.verb() == DdlDecision.Verb.TEXT) {
            throw new TributaryException(
                    ErrorCode.DECISION_REFUSED,
                    "expected a running node, because it checks the text with the definitions of the tables, found a stopped one:"
                            + " start the node and run the command again");
        }
        if (decision.verb() == DdlDecision.Verb.SKIP) {
            HeldQuestion held = question.orElseThrow(() -> new TributaryException(
                    ErrorCode.DECISION_REFUSED,
                    "expected the id of a statement or transaction that holds a shard, found " + decision.id()
                            + ", which is already written and cannot be left out"));
            return skip(cut, held.shard(), held.gtid(), Optional.empty());
        }
        requireFits(cut, decision, question);
        return cut.schema().decisions().contains(decision)
                ? new Appended(Optional.empty(), "already decided: " + text(decision))
                : new Appended(
                        Optional.of(cut.deciding(decision)),
                        "decided: " + text(decision) + "; start the node to carry it out");
    }

    /** Refuses the decisions that a running node also refuses. */
    private static void requireFits(Cut cut, DdlDecision decision, Optional<HeldQuestion> question) {
        boolean isStatement = question.isEmpty() || question.get().question().code() == ErrorCode.DDL_WAITS;
        if (!isStatement) {
            throw new TributaryException(
                    ErrorCode.DECISION_REFUSED,
                    "expected `tributary ddl skip " + decision.id() + "` for a transaction at which shard "
                            + question.get().shard() + " is held, found ddl "
                            + decision.verb().word());
        }
        boolean removesRows = question.isPresent()
                || cut.schema().pending().stream()
                        .anyMatch(each -> each.part().id().equals(decision.id())
                                && each.part().removesRows()
                                && !each.event().hasRemaining());
        boolean isWrite = decision.verb() == DdlDecision.Verb.EMIT || decision.verb() == DdlDecision.Verb.DONE;
        if (isWrite && removesRows && !decision.acceptsLoss()) {
            throw new TributaryException(
                    ErrorCode.DECISION_REFUSED,
                    "expected --accept-loss, found none: rows of the members that lack the statement will be missing on the replicas");
        }
    }

    private static String text(DdlDecision decision) {
        return decision.verb().word() + " " + decision.id()
                + (decision.member().isEmpty() ? "" : " of " + decision.member())
                + (decision.acceptsLoss() ? ", rows may be lost" : "");
    }

    /**
     * Leaves out the transaction at which a shard is held.
     *
     * @param until if present, also all later ones of its source up to it that must be refused
     * @throws TributaryException SKIP_REFUSED if the shard is not held at it
     */
    public static Appended skip(Cut cut, String shard, Gtid gtid, Optional<Gtid> until) {
        Cut.ShardCut from = cut.shards().stream()
                .filter(each -> each.name().equals(shard))
                .findFirst()
                .orElseThrow(() -> refused("expected one of the shards "
                        + cut.shards().stream().map(Cut.ShardCut::name).toList() + ", found '" + shard + "'"));
        GtidSet range = GtidSet.EMPTY.toBuilder()
                .addRange(gtid.sid(), gtid.gno(), until.map(Gtid::gno).orElse(gtid.gno()))
                .build();
        String what = gtid + (until.isEmpty() ? "" : " to " + until.get()) + " of shard " + shard;
        GtidSet decided = until.isEmpty() ? from.leftOut() : from.leftOutIfRefused();
        if (range.minus(decided).isEmpty()) {
            return new Appended(Optional.empty(), "already decided: " + what + " is left out");
        }
        if (from.frontier().contains(gtid.sid(), gtid.gno())) {
            throw refused("expected a transaction that is not processed yet, found " + gtid + " of shard " + shard
                    + ": it is in the binlog, or it had no rows, and cannot be left out after cut "
                    + cut.number());
        }
        requireHeld(cut, shard, gtid);
        Cut next = until.isEmpty() ? cut.leavingOut(shard, gtid) : cut.leavingOutRefused(shard, range);
        return new Appended(
                Optional.of(next),
                "decided: " + what + " will be left out" + (until.isEmpty() ? "" : " if they must be refused")
                        + "; start the node. The rows will be missing in the global binlog: apply them to the"
                        + " readers by hand");
    }

    /** Refuses any other transaction: it is in the binlog, or will be. */
    private static void requireHeld(Cut cut, String shard, Gtid gtid) {
        Optional<HeldQuestion> held = cut.schema().questions().stream()
                .filter(each -> each.shard().equals(shard))
                .findFirst();
        if (held.isEmpty()) {
            throw refused("expected the transaction at which shard " + shard + " is held, found " + gtid
                    + "; cut " + cut.number()
                    + " contains no held transaction: start the node, which reports the transaction, and run the"
                    + " command again while it runs");
        }
        if (!held.get().gtid().equals(gtid)) {
            throw refused("expected " + held.get().gtid() + ", at which shard " + shard + " is held, found " + gtid
                    + "; it is held because: " + held.get().question().code() + ": "
                    + held.get().question().message());
        }
    }

    public static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.SKIP_REFUSED, message);
    }
}
