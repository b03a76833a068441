package io.tributary.node.apply;

import io.tributary.apply.ApplyPosition;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.node.reader.ReaderPlace;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.Optional;
import java.util.OptionalLong;

/** The place of an applier: what its target had at the beginning of the run, and all that was applied up to the oldest unfinished transaction. */
final class ApplyPlace {
    private ApplyPlace() {}

    static ReaderPlace of(ApplyPosition now) {
        Optional<Gtid> finished = finished(now);
        GtidSet executed = finished.map(last -> now.executed().toBuilder()
                        .addRange(last.sid(), 1, last.gno())
                        .build())
                .orElse(now.executed());
        return new ReaderPlace(executed, finished, micros(now.oldest()), micros(now.newest()));
    }

    private static Optional<Gtid> finished(ApplyPosition now) {
        if (now.oldest() == null) {
            return Optional.ofNullable(now.newest()).map(ReplayTransaction::gtid);
        }
        Gtid oldest = now.oldest().gtid();
        return oldest.gno() == 1 ? Optional.empty() : Optional.of(new Gtid(oldest.sid(), oldest.gno() - 1));
    }

    private static OptionalLong micros(ReplayTransaction transaction) {
        return transaction == null ? OptionalLong.empty() : OptionalLong.of(transaction.committedMicros());
    }
}
