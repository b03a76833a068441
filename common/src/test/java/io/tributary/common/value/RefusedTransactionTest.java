package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefusedTransactionTest {
    @Test
    void isReadFromTheMessageThatItWasWrittenInto() {
        RefusedTransaction refused =
                new RefusedTransaction("s-1", Gtid.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:23"));
        assertEquals(
                Optional.of(refused),
                RefusedTransaction.in("shard s-1 at binlog.000003:77: expected rows; to leave it out: "
                        + refused.command() + " | Set binlog_format = ROW."));
    }

    @Test
    void isNotInAMessageOfSomethingElse() {
        assertEquals(Optional.empty(), RefusedTransaction.in("expected a stream, it ended"));
    }
}
