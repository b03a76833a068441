package io.tributary.node.admin;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.DdlDecision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The schema changes in progress on a node, and the decisions of operators about them; any thread. */
public interface SchemaChangeAccess {
    /** Statements that are not complete and questions that hold a shard, oldest first. The caller must process the answer on a thread of its own. */
    CompletableFuture<List<SchemaItem>> list();

    /**
     * Carries out an operator's decision.
     *
     * @return one line that reports what was done; fails with DECISION_REFUSED and the reason, or if no pipeline runs
     */
    CompletableFuture<String> execute(DdlDecision decision);

    /**
     * Leaves out the transaction at which a shard is held.
     *
     * @param until if present, also all later ones up to it that must be refused
     * @return like {@link #execute}
     */
    CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until);

    /** The schema changes of a node that does not order transactions: every call fails with a message. */
    static SchemaChangeAccess none(String why) {
        return new SchemaChangeAccess() {
            @Override
            public CompletableFuture<List<SchemaItem>> list() {
                return failed();
            }

            @Override
            public CompletableFuture<String> execute(DdlDecision decision) {
                return failed();
            }

            @Override
            public CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until) {
                return failed();
            }

            private <T> CompletableFuture<T> failed() {
                return CompletableFuture.failedFuture(new IllegalStateException(why));
            }
        };
    }
}
