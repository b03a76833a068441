package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import org.junit.jupiter.api.Test;

/** The command that leaves a refused transaction out. */
class RefusedTransactionTest {
    @Test
    void namesShardAndGtid() {
        String gtid = "3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:23";
        assertEquals(
                "tributary shard skip s-1 --gtid " + gtid + " -c FILE",
                new RefusedTransaction("s-1", Gtid.parse(gtid)).command());
    }
}
