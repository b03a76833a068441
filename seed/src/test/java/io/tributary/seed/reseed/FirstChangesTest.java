package io.tributary.seed.reseed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FirstChangesTest {
    private static final String UUID = "00000000-0000-0000-0000-000000000001:";
    private static final TableName PHYSICAL = new TableName("shop_1", "t");
    private static final TableName LOGICAL = new TableName("shop", "t");
    private static final Xid EMITTED = xid(1);
    private static final Xid OTHER = xid(2);

    /** The stream contains transactions 1 to 10. */
    private final FirstChanges changes = new FirstChanges(
            new FirstChanges.Point("s2", GtidSet.parse(UUID + "1-10"), Set.of(EMITTED)),
            name -> LOGICAL,
            Set.of(row(1), row(2), row(3)));

    private static Xid xid(int number) {
        return new Xid(new byte[] {(byte) number}, new byte[] {7}, 1);
    }

    private static ByteBuffer key(int number) {
        return ByteBuffer.wrap(new byte[] {(byte) number});
    }

    private static FirstChanges.Row row(int number) {
        return new FirstChanges.Row(LOGICAL, key(number));
    }

    private void changes(int number, boolean wasThere) {
        changes.row(PHYSICAL, key(number), wasThere);
    }

    private void ended(int gno, BinlogScan.End end, Xid xid) {
        changes.ended(Gtid.parse(UUID + gno), end, xid, "");
    }

    @Test
    void theFirstChangeAfterTheFrontierDecides() {
        changes(1, false);
        ended(10, BinlogScan.End.COMMITTED, null); // the stream contains it
        changes(1, true);
        ended(11, BinlogScan.End.COMMITTED, null);
        changes(1, false);
        changes(2, false);
        changes(4, true);
        ended(12, BinlogScan.End.COMMITTED, null);
        changes(2, true);
        ended(13, BinlogScan.End.PREPARED, OTHER);
        assertEquals(Optional.of(true), changes.hadRow(row(1)));
        assertEquals(Optional.of(false), changes.hadRow(row(2)));
        assertEquals(Optional.empty(), changes.hadRow(row(3)));
        assertEquals(Optional.empty(), changes.hadRow(row(4))); // was not asked for
    }

    @Test
    void aBranchBelowTheFrontierThatIsNotEmittedCountsAsLater() {
        changes(1, false);
        ended(8, BinlogScan.End.PREPARED, OTHER);
        changes(1, true);
        ended(11, BinlogScan.End.COMMITTED, null);
        assertEquals(Optional.of(false), changes.hadRow(row(1)));
    }

    @Test
    void aBranchWhoseTransactionIsEmittedDoesNotCount() {
        changes(1, false);
        ended(8, BinlogScan.End.PREPARED, EMITTED);
        ended(11, BinlogScan.End.BRANCH_ENDED, EMITTED);
        assertEquals(Optional.empty(), changes.hadRow(row(1)));
    }

    @Test
    void aBranchThatEndedBelowTheFrontierDoesNotCount() {
        changes(1, false);
        ended(7, BinlogScan.End.PREPARED, OTHER);
        ended(9, BinlogScan.End.BRANCH_ENDED, OTHER);
        assertEquals(Optional.empty(), changes.hadRow(row(1)));
    }

    @Test
    void refusesStatementsThatRemoveRowsUnseen() {
        Gtid contained = Gtid.parse(UUID + "9");
        Gtid later = Gtid.parse(UUID + "11");
        changes.ended(contained, BinlogScan.End.STATEMENT, null, "TRUNCATE TABLE t");
        changes.ended(later, BinlogScan.End.STATEMENT, null, "ALTER USER a IDENTIFIED BY 'x'");
        changes.ended(later, BinlogScan.End.STATEMENT, null, "CREATE TABLE u (id INT)");
        for (String text : new String[] {"truncate t", "/* a */ ALTER  TABLE t ADD c INT", "drop\ntable `t` /* b */"}) {
            TributaryException refused = assertThrows(
                    TributaryException.class, () -> changes.ended(later, BinlogScan.End.STATEMENT, null, text));
            assertEquals(ErrorCode.DECISION_REFUSED, refused.code());
            assertTrue(refused.getMessage().startsWith("shard s2: "), refused.getMessage());
        }
    }
}
