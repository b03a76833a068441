package io.tributary.collector;

import io.tributary.common.value.TableRef;
import io.tributary.schema.rows.ReshapePlan;
import java.nio.ByteBuffer;

/**
 * How rows of one table map become rows of the table in the output.
 *
 * @param plan what becomes of the columns
 * @param target the table map that they have in the output; null where there is no plan
 * @param map its event, from 0 to the limit; null where there is no plan
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

    /** Whether some values may not convert. */
    boolean mayRefuse() {
        return plan instanceof ReshapePlan.Total total && total.mayRefuse();
    }
}
