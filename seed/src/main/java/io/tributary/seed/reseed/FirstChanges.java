package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first change of some rows on another shard among the transactions of it that the stream does not contain yet. It shows whether the shard had the
 * row at the end of the stream.
 */
final class FirstChanges implements BinlogScan.Listener {
    /** Statements that remove rows, or change the columns of the rows that follow. */
    private static final Pattern REMOVING = Pattern.compile(
            "(TRUNCATE|(DROP|ALTER|RENAME)\\s+(TABLE|TABLES|DATABASE|SCHEMA))\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    private final Point point;
    private final UnaryOperator<TableName> names;
    private final Set<Row> wanted;
    private final Map<Row, Boolean> first = new HashMap<>();
    private final Map<Xid, List<Change>> prepared = new LinkedHashMap<>();
    private List<Change> current = new ArrayList<>();
    private Map<Row, Boolean>
            earlier; // first changes by branches that were prepared below the frontier and are not emitted

    /**
     * How far the stream contains a shard.
     *
     * @param shard for messages
     * @param frontier the transactions that it contains; for a branch, its PREPARE
     * @param emitted branches whose transactions it contains, although their COMMIT is not in the frontier
     */
    record Point(String shard, GtidSet frontier, Set<Xid> emitted) {}

    /** A row, by its logical table and the bytes of its key in row images. */
    record Row(TableName logical, ByteBuffer key) {}

    private record Change(Row row, boolean wasThere) {}

    /**
     * Begins without changes.
     *
     * @param names from physical to logical names
     * @param wanted the rows
     */
    FirstChanges(Point point, UnaryOperator<TableName> names, Set<Row> wanted) {
        this.point = point;
        this.names = names;
        this.wanted = wanted;
    }

    @Override
    public void row(TableName physical, ByteBuffer key, boolean wasThere) {
        Row row = new Row(names.apply(physical), key);
        if (wanted.contains(row)) {
            current.add(new Change(row, wasThere));
        }
    }

    @Override
    public void ended(Gtid gtid, BinlogScan.End end, Xid xid, String text) {
        boolean isContained = point.frontier().contains(gtid);
        switch (end) {
            case COMMITTED -> {
                if (!isContained) {
                    add(current, first);
                }
            }
            case PREPARED -> {
                if (!isContained) {
                    add(current, first);
                } else if (!point.emitted().contains(xid)) {
                    prepared.put(xid, current);
                }
            }
            case BRANCH_ENDED -> {
                if (isContained) {
                    prepared.remove(xid);
                }
            }
            case STATEMENT -> {
                if (!isContained) {
                    requireHarmless(gtid, text);
                }
            }
        }
        current = new ArrayList<>();
    }

    private static void add(List<Change> changes, Map<Row, Boolean> to) {
        changes.forEach(change -> to.putIfAbsent(change.row(), change.wasThere()));
    }

    private void requireHarmless(Gtid gtid, String text) {
        Matcher removing =
                REMOVING.matcher(COMMENT.matcher(text).replaceAll(" ").strip());
        if (removing.matches()) {
            throw new TributaryException(
                    ErrorCode.DECISION_REFUSED,
                    "shard " + point.shard()
                            + ": expected only changes of rows since the last cut, found the statement "
                            + removing.group(1) + " in transaction " + gtid + ": rows that it removed cannot be told"
                            + " from those of the shard that is held; set up a new stream");
        }
    }

    /** Whether the shard had the row at the end of the stream, by its first change; empty if it did not change. After the scan. */
    Optional<Boolean> hadRow(Row row) {
        if (earlier == null) {
            earlier = new HashMap<>();
            prepared.values().forEach(changes -> add(changes, earlier));
        }
        return Optional.ofNullable(earlier.getOrDefault(row, first.get(row)));
    }
}
