package io.tributary.node.admin;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.DdlOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The schema changes that are under way on a node that runs a pipeline, and what an operator may order for them; any thread. */
public interface SchemaChanges {
    /** Statements that are not complete and questions that hold a shard, oldest first. What follows the answer is to run on a thread of the caller's. */
    CompletableFuture<List<SchemaItem>> list();

    /**
     * Carries an order out.
     *
     * @return one line that says what was done; fails with ORDER_REFUSED that says why not, or where no pipeline runs
     */
    CompletableFuture<String> order(DdlOrder order);

    /**
     * Leaves out the transaction at which a shard is held.
     *
     * @param until if present, also all later ones up to it that have to be refused
     * @return as of {@link #order}
     */
    CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until);

    /** Those of a node that puts nothing into order. */
    static SchemaChanges none(String why) {
        return new SchemaChanges() {
            @Override
            public CompletableFuture<List<SchemaItem>> list() {
                return failed();
            }

            @Override
            public CompletableFuture<String> order(DdlOrder order) {
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
