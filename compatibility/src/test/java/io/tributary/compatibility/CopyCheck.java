package io.tributary.compatibility;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a client has printed while it copied tables and read the binlog, compared with the binlog and with the rows of the shards.
 *
 * <p>P line: the GTID set of the copy. R line: a row of the copy (op r), or a change. G line: the GTID of the changes that follow.
 */
final class CopyCheck {
    private static final String NONE = "none";

    private final Map<String, List<Copy>> copied = new HashMap<>();
    private final Map<String, List<Change>> changes = new HashMap<>();
    private final List<String> gtids = new ArrayList<>();
    private final boolean isOnRequest;
    private String position = "";
    private int copiedRows;
    private int changedRows;
    private int newerRows;

    /** A change of one row; {@value #NONE} for no row. */
    private record Change(String before, String after) {}

    /** A row of the copy, and how many changes of it were read before. */
    private record Copy(String row, int changes) {
        /** The states that it may contain. */
        List<String> allowed(List<String> states, boolean isExact) {
            return isExact ? states.subList(0, 1) : states.subList(changes, states.size());
        }
    }

    private CopyCheck(boolean isOnRequest) {
        this.isOnRequest = isOnRequest;
    }

    static CopyCheck of(List<String> lines) {
        return of(lines, false);
    }

    /** @param isOnRequest the copy was made while the client read the binlog: it may leave out rows of which it reads a change */
    static CopyCheck of(List<String> lines, boolean isOnRequest) {
        CopyCheck check = new CopyCheck(isOnRequest);
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "P" -> check.position = parts[1];
                case "G" -> check.gtids.add(parts[1]);
                case "R" -> check.row(parts);
                default -> {} // what else a client prints
            }
        }
        return check;
    }

    private void row(String[] parts) {
        String key = parts[1] + " " + parts[2];
        if (parts[3].equals("r")) {
            copiedRows++;
            copied.computeIfAbsent(key, each -> new ArrayList<>())
                    .add(new Copy(parts[5], changes.getOrDefault(key, List.of()).size()));
        } else {
            changedRows++;
            changes.computeIfAbsent(key, each -> new ArrayList<>()).add(new Change(parts[4], parts[5]));
        }
    }

    /** The GTID set of the copy; empty if the client does not print it. */
    String position() {
        return position;
    }

    /** The transactions that were read after the copy, in order. */
    List<String> gtids() {
        return gtids;
    }

    boolean hasChanges() {
        return changedRows > 0;
    }

    /** In numbers. */
    String count() {
        long twice = copied.values().stream().filter(rows -> rows.size() > 1).count();
        return (position.isEmpty() || copiedRows > 0
                        ? copiedRows + (isOnRequest ? " rows, among " : " rows, then ")
                        : "")
                + changedRows + " changes"
                + (gtids.isEmpty() ? "" : " in " + gtids.size() + " transactions")
                + (newerRows == 0
                        ? ""
                        : "; " + newerRows + " rows were copied in a state after the position of the copy")
                + (twice == 0 ? "" : "; " + twice + " rows twice that moved to another shard");
    }

    /**
     * The first difference in words; empty for none.
     *
     * @param rows by table and key, as this client shows rows
     * @param isExact the changes of a row must continue from the row that was copied; otherwise the copy may contain some of them already
     */
    Optional<String> differenceTo(Map<String, String> rows, boolean isExact) {
        TreeSet<String> keys = new TreeSet<>(rows.keySet());
        keys.addAll(copied.keySet());
        keys.addAll(changes.keySet());
        for (String key : keys) {
            List<String> states = new ArrayList<>();
            Optional<String> broken = states(key, rows.getOrDefault(key, NONE), states);
            if (broken.isPresent()) {
                return broken;
            }
            List<Copy> rowsOfKey = copied.getOrDefault(key, List.of());
            newerRows += (int) rowsOfKey.stream()
                    .filter(copy -> !copy.row().equals(states.get(copy.changes())))
                    .count();
            Optional<String> problem = problem(rowsOfKey, states, isExact);
            if (problem.isPresent()) {
                return problem.map(words -> key + words);
            }
        }
        return Optional.empty();
    }

    /** The first difference in words where rows were changed after the client had begun, and it copied none; empty for none. */
    Optional<String> differenceOfChangesTo(Map<String, String> rows) {
        return new TreeSet<>(changes.keySet())
                .stream()
                        .map(key -> states(key, rows.getOrDefault(key, NONE), new ArrayList<>()))
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    /** Collects the states of a row from the first change on; answers what is wrong with them. */
    private Optional<String> states(String key, String end, List<String> states) {
        List<Change> chain = changes.getOrDefault(key, List.of());
        states.add(chain.isEmpty() ? end : chain.get(0).before());
        for (Change change : chain) {
            String last = states.get(states.size() - 1);
            if (!change.before().equals(last)) {
                return Optional.of("changes of " + key + " are missing or twice: after " + last + " a change of "
                        + change.before());
            }
            states.add(change.after());
        }
        String last = states.get(states.size() - 1);
        return last.equals(end) ? Optional.empty() : Optional.of(key + " ends as " + last + ", the shards have " + end);
    }

    /** @param states all from the position of the copy on, in order */
    private Optional<String> problem(List<Copy> found, List<String> states, boolean isExact) {
        for (Copy copy : found) {
            List<String> allowed = copy.allowed(states, isExact);
            if (!allowed.contains(copy.row())) {
                return Optional.of(" was copied as " + copy.row() + ", its states from the position of the copy on are "
                        + allowed);
            }
        }
        boolean mayBeAbsent =
                (isExact ? states.subList(0, 1) : states).contains(NONE) || (isOnRequest && states.size() > 1);
        if (found.isEmpty() && !mayBeAbsent) {
            return Optional.of(" was not copied, its states from the position of the copy on are " + states);
        }
        if (found.size() > 1 && !mayBeAbsent) {
            return Optional.of(" was copied " + found.size() + " times and was in one place only");
        }
        return Optional.empty();
    }
}
