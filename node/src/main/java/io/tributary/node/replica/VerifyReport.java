package io.tributary.node.replica;

import io.tributary.seed.change.SearchResult;
import io.tributary.seed.verify.VerifyListener;

/** Gets what a comparison finds. Several threads call it at the same time. */
public interface VerifyReport extends VerifyListener {
    /** The tables are known; the comparison begins. */
    void begins(int tables);

    /** All tables were compared, and the last changes of the findings were searched. Not called without findings. */
    void searched(SearchResult result);
}
