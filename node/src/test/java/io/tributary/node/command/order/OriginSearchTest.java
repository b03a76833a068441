package io.tributary.node.command.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.node.command.order.Interval.Written;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OriginSearchTest {
    private static final Xid FIRST = xid("first");
    private static final Xid SECOND = xid("second");

    private final List<Written> written = new ArrayList<>();
    private final Log one = new Log(1);
    private final Log two = new Log(2);

    private static Xid xid(String gtrid) {
        return new Xid(gtrid.getBytes(StandardCharsets.US_ASCII), new byte[] {'b'}, 1);
    }

    /** The log of a shard after a cut at which nothing was read. */
    private static final class Log {
        private final Sid sid;
        private final List<SourceTransaction> all = new ArrayList<>();
        private long processed;

        private Log(long number) {
            sid = new Sid(new UUID(number, number));
        }

        private Log add(TokenKind kind, long micros, Xid xid, long digest) {
            Gtid gtid = new Gtid(sid, all.size() + 1);
            all.add(new SourceTransaction(
                    kind, gtid, "binlog.000001", 100L * gtid.gno(), micros, xid, digest != 0, digest));
            processed = all.size();
            return this;
        }

        private Log later(TokenKind kind, long micros, Xid xid) {
            long until = processed;
            add(kind, micros, xid, 0);
            processed = until;
            return this;
        }

        private SourceQueue queue(Set<Xid> open) {
            GtidSet until =
                    GtidSet.EMPTY.toBuilder().addRange(sid, 1, processed).build();
            return new SourceQueue(
                    ShardCut.unread("s" + sid.uuid().getMostSignificantBits(), "", GtidSet.EMPTY, GtidSet.EMPTY),
                    until,
                    open,
                    all);
        }
    }

    private void write(long micros, boolean isStatement, long digest) {
        written.add(new Written(written.size() + 1, micros, isStatement, digest));
    }

    private OriginSearch search(SourceQueue... queues) {
        return new OriginSearch(null, written, List.of(queues));
    }

    private static String of(Origin origin) {
        StringBuilder text = new StringBuilder();
        origin.parts()
                .forEach(part -> text.append(part.shard())
                        .append(':')
                        .append(part.transaction().gtid().gno())
                        .append(' '));
        return text.toString();
    }

    @Test
    void localTransactionsAreFoundByTimeAndWhatIsNotWrittenIsPassed() {
        one.add(TokenKind.ROUND, 1, null, 0).add(TokenKind.LOCAL, 20, null, 7).add(TokenKind.SKIPPED, 21, null, 0);
        two.add(TokenKind.LOCAL, 5, null, 3).add(TokenKind.LOCAL, 10, null, 8);
        write(10, false, 8);
        write(20, false, 7);
        SourceQueue first = one.queue(Set.of());
        SourceQueue second = two.queue(Set.of());
        OriginSearch search = search(first, second);
        assertEquals("s2:2 ", of(search.next()));
        assertEquals(0, first.executed().count());
        assertEquals(2, second.executed().count());
        assertEquals("s1:2 ", of(search.next()));
        search.passRest();
        assertEquals(3, first.executed().count());
    }

    @Test
    void twoTransactionsOfOneTimeAreDistinguishedByTheirRows() {
        one.add(TokenKind.LOCAL, 10, null, 7);
        two.add(TokenKind.LOCAL, 10, null, 8);
        write(10, false, 8);
        write(10, false, 7);
        OriginSearch search = search(one.queue(Set.of()), two.queue(Set.of()));
        assertEquals("s2:1 ", of(search.next()));
        assertEquals("s1:1 ", of(search.next()));
    }

    @Test
    void aDistributedTransactionHasTheNewestTimeAndTheRowsOfAllItsBranches() {
        one.add(TokenKind.PREPARE, 10, FIRST, 7)
                .add(TokenKind.COMMIT, 30, FIRST, 0)
                .add(TokenKind.LOCAL, 40, null, 9);
        two.add(TokenKind.PREPARE, 11, FIRST, 8)
                .add(TokenKind.LOCAL, 12, null, 1)
                .later(TokenKind.COMMIT, 35, FIRST);
        write(35, false, 15);
        write(40, false, 9);
        write(12, false, 1);
        SourceQueue first = one.queue(Set.of());
        SourceQueue second = two.queue(Set.of());
        OriginSearch search = search(first, second);
        assertEquals("s1:1 s2:1 ", of(search.next()));
        assertEquals(Set.of(FIRST), second.open());
        assertEquals(Set.of(FIRST), first.open());
        assertEquals("s1:3 ", of(search.next()));
        assertEquals(Set.of(), first.open());
        assertEquals("s2:2 ", of(search.next()));
        assertEquals(Set.of(FIRST), second.open());
    }

    @Test
    void aBranchThatIsRolledBackAndOneThatWasWrittenBeforeDoNotStopAShard() {
        one.add(TokenKind.PREPARE, 1, SECOND, 5)
                .add(TokenKind.ROLLBACK, 2, SECOND, 0)
                .add(TokenKind.COMMIT, 3, FIRST, 0)
                .add(TokenKind.LOCAL, 4, null, 6);
        write(4, false, 6);
        SourceQueue queue = one.queue(Set.of(FIRST));
        assertEquals("s1:4 ", of(search(queue).next()));
        assertEquals(Set.of(), queue.open());
    }

    @Test
    void aStatementOfSeveralPartsHasOneOriginAndOneOfSeveralShardsHasNone() {
        one.add(TokenKind.DDL, 10, null, 0).add(TokenKind.LOCAL, 20, null, 4);
        one.all.set(0, new SourceTransaction(TokenKind.DDL, one.all.get(0).gtid(), "f", 1, 10, null, true, 0));
        write(10, true, 0);
        write(10, true, 0);
        write(0, true, 0);
        write(20, false, 4);
        OriginSearch search = search(one.queue(Set.of()));
        assertEquals("s1:1 ", of(search.next()));
        assertEquals("s1:1 ", of(search.next()));
        assertEquals("", of(search.next()));
        assertEquals("s1:2 ", of(search.next()));
    }
}
