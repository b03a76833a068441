package io.tributary.backup;

import io.tributary.backup.store.Sha256;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The list of files in a backup: a file counts as backed up once it is in this list. Its text form: a first line with format and cluster, one line
 * for each file, a last line with the number of files and the SHA-256 of all lines before it.
 *
 * @param cluster the UUID of the files' GTIDs
 * @param files oldest first
 */
public record Manifest(String cluster, List<Entry> files) {
    static final String NAME = "MANIFEST";
    /** The form of the number after the dot in a file's name: it fits into an int. */
    static final String NUMBER = "\\d{1,9}";

    private static final String FORMAT = "tributary-backup 1";

    public Manifest {
        files = List.copyOf(files);
    }

    /**
     * One file.
     *
     * @param name such as {@code binlog.000001}
     * @param size bytes
     * @param sha256 in hex
     * @param firstGno number of its first transaction
     * @param lastGno number of its last transaction; less than the first if it has none
     * @param firstMicros when its first transaction was committed, µs since 1970; 0 if not known
     * @param key id of the key that decrypts it; empty if it is not encrypted
     * @param startsJournal whether the definitions of tables can be rebuilt from this file and those after it
     */
    public record Entry(
            String name,
            long size,
            String sha256,
            long firstGno,
            long lastGno,
            long firstMicros,
            Optional<String> key,
            boolean startsJournal) {
        private static final int FIELDS = 6;
        private static final String JOURNAL = "/journal"; // no id of a key contains a slash

        /** The number in its name, from 1. */
        public int number() {
            return Manifest.number(name);
        }

        /** Bytes of its object. */
        public long storedSize() {
            return key.isPresent() ? FileEncryption.encryptedSize(size) : size;
        }

        private String line() {
            String line = String.join(
                    " ",
                    name,
                    Long.toString(size),
                    sha256,
                    Long.toString(firstGno),
                    Long.toString(lastGno),
                    Long.toString(firstMicros));
            return line + key.map(id -> " " + id).orElse("") + (startsJournal ? " " + JOURNAL : "");
        }

        private static Entry parse(String line) {
            boolean startsJournal = line.endsWith(" " + JOURNAL);
            String[] fields =
                    (startsJournal ? line.substring(0, line.length() - JOURNAL.length() - 1) : line).split(" ", -1);
            boolean encrypted = fields.length == FIELDS + 1;
            if (!encrypted && fields.length != FIELDS || !fields[0].matches("[^/]+\\." + NUMBER)) {
                throw new IllegalArgumentException("expected six fields and optionally a key and " + JOURNAL
                        + ", a file's name first, found '" + line + "'");
            }
            return new Entry(
                    fields[0],
                    Long.parseLong(fields[1]),
                    fields[2],
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[5]),
                    encrypted ? Optional.of(fields[FIELDS]) : Optional.empty(),
                    startsJournal);
        }
    }

    /** Whether an object is that of a file or of its index, by its name. */
    static boolean isOfAFile(String name) {
        return name.matches(".*[^/]\\." + NUMBER + "(\\.idx)?");
    }

    /** The number in a file's name. */
    static int number(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
    }

    Optional<Entry> find(String name) {
        return files.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** This manifest with one more file, or with a file that replaces the one of the same name. */
    Manifest with(Entry file) {
        List<Entry> list = new ArrayList<>(files);
        list.removeIf(entry -> entry.name().equals(file.name()));
        list.add(file);
        list.sort(Comparator.comparingInt(Entry::number));
        return new Manifest(cluster, list);
    }

    /** This manifest without its oldest files. */
    Manifest without(List<Entry> oldest) {
        return new Manifest(cluster, files.subList(oldest.size(), files.size()));
    }

    /**
     * Checks that each file continues where the one before it ends.
     *
     * @param name the name of the manifest in messages
     * @throws TributaryException BACKUP_CORRUPT
     */
    void requireWhole(String name) {
        for (int i = 1; i < files.size(); i++) {
            Entry before = files.get(i - 1);
            if (files.get(i).firstGno() != before.lastGno() + 1) {
                throw new TributaryException(
                        ErrorCode.BACKUP_CORRUPT,
                        name + ": expected transaction " + (before.lastGno() + 1) + " after " + before.name()
                                + ", found that " + files.get(i).name() + " begins with "
                                + files.get(i).firstGno());
            }
        }
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(FORMAT + " " + cluster + "\n");
        files.forEach(entry -> text.append(entry.line()).append('\n'));
        String sum = Sha256.of(text.toString().getBytes(StandardCharsets.UTF_8));
        return text.append("end ")
                .append(files.size())
                .append(' ')
                .append(sum)
                .append('\n')
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the text form that {@link #bytes()} returned.
     *
     * @param name the name of the manifest in messages
     * @throws TributaryException BACKUP_CORRUPT
     */
    static Manifest parse(String name, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        List<String> lines = text.lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        String before = text.substring(0, Math.max(0, text.length() - last.length() - 1));
        String end = "end " + (lines.size() - 2) + " " + Sha256.of(before.getBytes(StandardCharsets.UTF_8));
        if (!last.equals(end) || !text.startsWith(FORMAT + " ")) {
            throw corrupt(name, "a manifest of " + FORMAT + " that ends with its own checksum", null);
        }
        try {
            return new Manifest(
                    lines.get(0).substring(FORMAT.length() + 1),
                    lines.subList(1, lines.size() - 1).stream()
                            .map(Entry::parse)
                            .toList());
        } catch (IllegalArgumentException e) {
            throw corrupt(name, e.getMessage(), e);
        }
    }

    private static TributaryException corrupt(String name, String expected, Throwable cause) {
        return new TributaryException(
                ErrorCode.BACKUP_CORRUPT, name + ": expected " + expected + ", found another text", cause);
    }
}
