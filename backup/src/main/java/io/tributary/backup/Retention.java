package io.tributary.backup;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long files are kept in a backup: until they are too old or the backup is too large, whichever happens first. Always kept are the newest file,
 * from whose last cut a restored node resumes, and the newest file from which the definitions of tables can be rebuilt, with all files after it.
 *
 * @param age since the last transaction of a file; 0 for no limit
 * @param bytes of all files together, as they are stored; 0 for no limit
 */
record Retention(Duration age, long bytes) {
    static Retention of(BackupConfig config) {
        return new Retention(config.retainAge(), config.retainSize().bytes());
    }

    /** The files that need not be kept, oldest first: the start of the manifest's list. */
    List<Manifest.Entry> expired(Manifest manifest, long nowMicros) {
        List<Manifest.Entry> files = manifest.files();
        long total = files.stream().mapToLong(Manifest.Entry::storedSize).sum();
        int count = 0;
        int most = mostExpired(files);
        while (count < most && (isTooOld(files, count, nowMicros) || bytes > 0 && total > bytes)) {
            total -= files.get(count).storedSize();
            count++;
        }
        return files.subList(0, count);
    }

    /** If no file in the list has this mark, the list is from a version before the journal. */
    private static int mostExpired(List<Manifest.Entry> files) {
        int last = files.size() - 1;
        for (int i = last; i >= 0; i--) {
            if (files.get(i).startsJournal()) {
                return i;
            }
        }
        return last;
    }

    /** A file ends before the first transaction after it; if that time is not known, the file is kept until a later time is known. */
    private boolean isTooOld(List<Manifest.Entry> files, int index, long nowMicros) {
        long next = files.get(index + 1).firstMicros();
        return !age.isZero() && next > 0 && nowMicros - next > TimeUnit.NANOSECONDS.toMicros(age.toNanos());
    }
}
