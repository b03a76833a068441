package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.seed.copy.FolderTarget.FileLimits;
import io.tributary.seed.folder.DumpFile;
import io.tributary.seed.folder.DumpFolder;
import java.util.List;

/**
 * Writes rows of one member, or of a part of it, into files as REPLACE statements of one line each: rows of different moments may have one unique
 * value. For one thread.
 */
final class FileRows implements RowSink, AutoCloseable {
    /** A statement counts its warnings in 16 bits. */
    private static final int MOST_WARNINGS = 60_000;

    private static final int LONGEST = (1 << 30) - 1024;
    private static final String VERB = "REPLACE";

    /** A loader's session may have other settings, such as no unique checks. A value that is not stored as it is, is an error. */
    private static final String SETTINGS =
            "SET NAMES binary;\nSET SESSION foreign_key_checks = 0, unique_checks = 1, time_zone = '+00:00', sql_mode = '"
                    + CopySessions.STRICT + "';\n";

    private final CopyPlan plan;
    private final DumpFolder folder;
    private final FileLimits limits;
    private final CopyListener listener;
    private RowStatement filling;
    private RowStatement spare;
    private DumpFile file;
    private List<String> lastKey = List.of();

    FileRows(CopyPlan plan, DumpFolder folder, FileLimits limits, CopyListener listener) {
        this.plan = plan;
        this.folder = folder;
        this.limits = limits;
        this.listener = listener;
        this.filling = RowStatement.ofOneLine(plan, VERB, limits.statementBytes());
        this.spare = RowStatement.ofOneLine(plan, VERB, limits.statementBytes());
    }

    @Override
    public void add(ByteBuf row) {
        try {
            filling.add(row);
        } catch (StatementTooLongException e) {
            throw tooLong(Integer.MAX_VALUE);
        }
        if (filling.size() > 2L * limits.statementBytes()
                && filling.rows() > 1) { // a long row gets a statement of its own
            spare.clear();
            filling.moveLastRow(spare);
            write();
        }
        if (filling.size() > LONGEST) {
            throw tooLong(filling.size());
        }
        if (filling.size() >= limits.statementBytes() || filling.warnings() >= MOST_WARNINGS) {
            spare.clear();
            write();
        }
    }

    private TributaryException tooLong(long bytes) {
        return new TributaryException(
                ErrorCode.SEED_FAILED,
                "expected rows that a server accepts in a statement of at most 1 GiB, found one of " + plan.name()
                        + " that needs " + bytes
                        + " bytes | delete or shorten the row, or leave the table out with --tables");
    }

    @Override
    public List<String> lastKey() {
        return filling.rows() > 0 ? filling.key() : lastKey;
    }

    /** Writes the statement and continues with the spare one. */
    private void write() {
        for (long wait = limits.rate().waitNanos();
                wait > 0;
                wait = limits.rate().waitNanos()) {
            Pause.upTo(wait);
        }
        limits.rate().sent(filling.size());
        if (file == null) {
            file = folder.data(plan.name());
            file.add(SETTINGS);
        }
        boolean warns = filling.warnings() > 0; // for the invalid value of an ENUM column
        if (warns) {
            file.add("SET SESSION sql_mode = '" + CopySessions.LENIENT + "';\n");
        }
        file.add(filling.view()).add(";\n");
        if (warns) {
            file.add("SET SESSION sql_mode = '" + CopySessions.STRICT + "';\n");
        }
        limits.longest().accumulateAndGet(filling.size(), Math::max);
        lastKey = filling.key();
        listener.copied(plan.name(), filling.rows(), filling.valueBytes());
        RowStatement written = filling;
        filling = spare;
        spare = written;
        if (file.size() >= limits.fileBytes()) {
            complete();
        }
    }

    private void complete() {
        file.complete();
        file = null;
    }

    @Override
    public void finish() {
        if (filling.rows() > 0) {
            spare.clear();
            write();
        }
        if (file != null) {
            complete();
        }
    }

    /** Removes the file that is not complete. */
    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
