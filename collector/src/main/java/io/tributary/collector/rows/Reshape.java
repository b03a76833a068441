package io.tributary.collector.rows;

import io.tributary.common.value.TableRef;
import io.tributary.schema.rows.ReshapePlan;
import java.nio.ByteBuffer;

/**
 * How rows of one table map are converted to rows of the table in the output.
 *
 * @param plan how the columns are converted
 * @param target the table map that the rows have in the output; null if there is no plan
 * @param map the event of the target, from 0 to the limit; null if there is no plan
 */
record Reshape(ReshapePlan plan, TableRef target, ByteBuffer map) {
    static Reshape none(String reason) {
        return new Reshape(new ReshapePlan.None(reason), null, null);
    }

    boolean isPossible() {
        return !(plan instanceof ReshapePlan.None);
    }

    /** Why it is not possible. */
    String reason() {
        return plan instanceof ReshapePlan.None none ? none.reason() : "";
    }

    /** Whether the conversion of some values may fail. */
    boolean mayRefuse() {
        return plan instanceof ReshapePlan.Total total && total.mayRefuse();
    }
}
