package io.tributary.backup;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long files stay in a backup: until they are too old or there is too much; whichever comes first. The newest file, from whose
 * last cut a restored node resumes, always stays, and so do the newest file of which the definitions of tables can be rebuilt and all behind it.
 *
 * @param age since the last transaction of a file; 0 for ever
 * @param bytes of all files together, as they stand in the store; 0 for any amount
 */
record Retention(Duration age, long bytes) {
    static Retention of(BackupConfig config) {
        return new Retention(config.retainAge(), config.retainSize().bytes());
    }

    /** The files that need not stay, oldest first: the beginning of the manifest's list. */
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

    /** A list whose files do not say from which on is one of before there was a journal. */
    private static int mostExpired(List<Manifest.Entry> files) {
        int last = files.size() - 1;
        for (int i = last; i >= 0; i--) {
            if (files.get(i).startsJournal()) {
                return i;
            }
        }
        return last;
    }

    /** A file ends before the first transaction behind it begins; a file whose time nobody knows waits for the next that is known. */
    private boolean isTooOld(List<Manifest.Entry> files, int index, long nowMicros) {
        long next = files.get(index + 1).firstMicros();
        return !age.isZero() && next > 0 && nowMicros - next > TimeUnit.NANOSECONDS.toMicros(age.toNanos());
    }
}
