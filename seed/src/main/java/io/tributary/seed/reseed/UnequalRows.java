package io.tributary.seed.reseed;

import io.tributary.seed.verify.ChunkRange;
import io.tributary.seed.verify.RowKey;
import io.tributary.seed.verify.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the keys whose rows are not equal on the shards together and on the replica, chunk by chunk. */
final class UnequalRows {
    private static final int CHUNK = 5_000;
    private static final int DEEPEST = 60;

    private final TableReader reader;
    private final List<RowKey> keys = new ArrayList<>();

    private UnequalRows(TableReader reader) {
        this.reader = reader;
    }

    /** The keys of a table that has a row key. */
    static List<RowKey> find(TableReader reader) {
        UnequalRows rows = new UnequalRows(reader);
        Optional<RowKey> after = Optional.empty();
        while (true) {
            Optional<RowKey> bound = reader.bound(new ChunkRange(after, Optional.empty()), CHUNK);
            if (bound.equals(after)) { // a key that two collations order in different ways: the rest is one range
                bound = Optional.empty();
            }
            rows.check(new ChunkRange(after, bound), 0);
            if (bound.isEmpty()) {
                return rows.keys;
            }
            after = bound;
        }
    }

    private void check(ChunkRange range, int depth) {
        TableReader.Sides sides = reader.compare(range);
        if (sides.areEqual()) {
            return;
        }
        if (sides.most() > 2L * CHUNK && depth < DEEPEST) {
            Optional<RowKey> middle = reader.bound(range, sides.most() / 2, sides);
            if (middle.isPresent() && !middle.equals(range.after()) && !middle.equals(range.upTo())) {
                check(range.before(middle.get()), depth + 1);
                check(range.behind(middle.get()), depth + 1);
                return;
            }
        }
        keys.addAll(reader.unequalKeys(range));
    }
}
