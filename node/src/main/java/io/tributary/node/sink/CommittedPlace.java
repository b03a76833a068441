package io.tributary.node.sink;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.node.reader.ReaderPlace;
import io.tributary.sink.SinkPosition;
import java.util.Optional;
import java.util.OptionalLong;

/** The place of a sink: all up to the last transaction whose messages are committed in Kafka. */
final class CommittedPlace {
    private CommittedPlace() {}

    static ReaderPlace of(SinkPosition now) {
        Optional<Gtid> committed = now.committed().map(ChangeTransaction::gtid);
        GtidSet executed = committed
                .map(last -> GtidSet.EMPTY.toBuilder()
                        .addRange(last.sid(), 1, last.gno())
                        .build())
                .orElse(GtidSet.EMPTY);
        return new ReaderPlace(executed, committed, micros(oldest(now)), micros(now.read()));
    }

    /** With sink.delivery=at-least-once, messages may be on their way while nothing is being sent. */
    private static Optional<ChangeTransaction> oldest(SinkPosition now) {
        boolean hasAll = now.read().map(ChangeTransaction::gtid).equals(now.committed().map(ChangeTransaction::gtid));
        return now.oldest().isPresent() || hasAll ? now.oldest() : now.read();
    }

    private static OptionalLong micros(Optional<ChangeTransaction> transaction) {
        return transaction.map(one -> OptionalLong.of(one.committedMicros())).orElse(OptionalLong.empty());
    }
}
