package io.tributary.binlog;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that readers may request: those on this node and, before them, purged ones that an archive still has. Any thread. */
public final class ReadableFiles {
    private final BinlogFiles here;
    private final Archive archive;
    private final boolean isCopy;

    public ReadableFiles(BinlogFiles here, Archive archive) {
        this(here, archive, false);
    }

    /**
     * Creates the list.
     *
     * @param isCopy whether the files are copies from a leader, which may already let readers read more
     */
    public ReadableFiles(BinlogFiles here, Archive archive, boolean isCopy) {
        this.here = here;
        this.archive = archive;
        this.isCopy = isCopy;
    }

    /** The archive of files that were purged on this node. */
    public Archive archive() {
        return archive;
    }

    /** Whether these are copies and a reader has already read more from another node than this node has received. */
    public boolean isBehind(GtidSet readerHas) {
        return isCopy && !here.ahead(readerHas).isEmpty();
    }

    /** As above, for a reader that requests a file and a position. */
    public boolean isBehind(String file, long position) {
        BinlogFile last = here.durableEnd().file();
        String name = last.name().substring(0, last.name().lastIndexOf('.') + 1);
        boolean isLast = file.equals(last.name());
        return isCopy
                && (isLast ? position > last.end() : isOneOf(file, name) && numberAfter(file, name) > last.number());
    }

    private static boolean isOneOf(String file, String name) {
        return file.startsWith(name) && file.substring(name.length()).matches("\\d{6,10}");
    }

    private static long numberAfter(String file, String name) {
        return Long.parseLong(file.substring(name.length()));
    }

    public BinlogFiles here() {
        return here;
    }

    /** All files, oldest first; at least one. */
    public List<BinlogFile> list() {
        List<BinlogFile> now = here.list();
        List<BinlogFile> all = new ArrayList<>(before(now.get(0)));
        all.addAll(now);
        return all;
    }

    /** The archived files that precede the first one on this node without a gap. */
    private List<BinlogFile> before(BinlogFile first) {
        List<BinlogFile> older = new ArrayList<>();
        for (Archive.Archived file : archive.files()) {
            Path place = first.path().resolveSibling(file.name());
            BinlogFile one = new BinlogFile(place, file.size(), true, file.previousGtids());
            if (one.number() < first.number()) {
                older.add(one);
            }
        }
        int from = older.size();
        int number = first.number();
        while (from > 0 && older.get(from - 1).number() == number - 1) {
            from--;
            number--;
        }
        return older.subList(from, older.size());
    }

    public BinlogFile first() {
        return list().get(0);
    }

    /** The file with a name; empty when it is no longer available or never existed. */
    public Optional<BinlogFile> find(String name) {
        Optional<BinlogFile> found = here.find(name);
        return found.isPresent()
                ? found
                : list().stream().filter(file -> file.name().equals(name)).findFirst();
    }

    /**
     * The file after a finished one; empty after the last file.
     *
     * @throws TributaryException READER_REFUSED when that file is no longer available: no file is ever skipped
     */
    public Optional<BinlogFile> next(BinlogFile file) {
        int number = file.number() + 1;
        Optional<BinlogFile> later = here.next(file);
        if (later.isEmpty() || later.get().number() == number) {
            return later;
        }
        Optional<BinlogFile> archived =
                list().stream().filter(other -> other.number() == number).findFirst();
        if (archived.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.READER_REFUSED, "The file after " + file.name() + " has been purged.");
        }
        return archived;
    }

    /** {@code @@gtid_purged}: all GTIDs that are in no available file. */
    public GtidSet purged() {
        return first().previousGtids();
    }

    /** As {@link BinlogFiles#locate}, over all these files. */
    public BinlogFile locate(GtidSet readerHas) {
        if (readerHas.containsAll(here.purged())) {
            return here.locate(readerHas);
        }
        here.requireNotAhead(readerHas);
        List<BinlogFile> all = list();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (readerHas.containsAll(all.get(i).previousGtids())) {
                return all.get(i);
            }
        }
        throw new TributaryException(
                ErrorCode.READER_REFUSED,
                "The reader needs transactions that have been purged: "
                        + all.get(0).previousGtids().minus(readerHas).line());
    }

    /** Requests a file that was purged on this node; see {@link Archive#borrow}. */
    public Optional<Archive.Loan> borrow(BinlogFile file, Runnable onDone) {
        return archive.borrow(file.name(), onDone);
    }
}
