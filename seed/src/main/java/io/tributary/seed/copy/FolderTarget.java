package io.tributary.seed.copy;

import io.tributary.common.pipeline.RateLimiter;
import io.tributary.common.value.TableName;
import io.tributary.seed.folder.DumpFolder;
import io.tributary.seed.table.ShardTable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A folder with files of statements. How far a copy is, is not stored: a copy that was ended begins again in an empty folder. */
final class FolderTarget implements CopyTarget {
    private final DumpFolder folder;
    private final FileLimits limits;
    private FileRows open;

    /**
     * Limits of files.
     *
     * @param statementBytes from this length on a statement is written
     * @param fileBytes from this length on a file ends
     * @param rate limit of all workers
     * @param longest the length of the longest statement is kept here
     */
    record FileLimits(int statementBytes, long fileBytes, RateLimiter rate, AtomicLong longest) {}

    FolderTarget(DumpFolder folder, FileLimits limits) {
        this.folder = folder;
        this.limits = limits;
    }

    @Override
    public void prepare() {
        // the folder exists
    }

    @Override
    public List<MemberPart> parts(TableName table, ShardTable member) {
        return List.of();
    }

    @Override
    public List<MemberPart> begin(TableName table, ShardTable member, List<KeyBounds> bounds) {
        return bounds.stream()
                .map(part -> new MemberPart(member, part, List.of(), false, Amount.NONE))
                .toList();
    }

    @Override
    public RowSink rows(CopyPlan plan, MemberPart part, CopyListener listener) {
        return snapshot(plan, listener);
    }

    @Override
    public void done(TableName table, MemberPart part) {
        // its files are complete
    }

    @Override
    public RowSink snapshot(CopyPlan plan, CopyListener listener) {
        close();
        open = new FileRows(plan, folder, limits, listener);
        return open;
    }

    @Override
    public void empty(TableName table) {
        folder.forget(table);
    }

    @Override
    public void forget(TableName table) {
        folder.forget(table);
    }

    /** Removes a file that is not complete. */
    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
