package io.tributary.extractor.ddl;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The rules that recognize tables of online schema change tools: the copies that gh-ost, pt-online-schema-change, Vitess and spirit make of a
 * table, and the old tables that they keep. Immutable; any thread.
 */
public final class HiddenTables {
    /** The tools that are known by name. */
    public static final List<String> TOOLS = List.of("gh-ost", "pt-osc", "vitess", "spirit");

    /** No table is hidden. */
    static final HiddenTables NONE = new HiddenTables(List.of());

    private static final String PT_OSC = "pt-osc";
    private static final String OLD_AND_NEW = "_+(.+)_(?:new|old)";
    /** The first group is the name of the table that is changed. */
    private static final Map<String, List<String>> PATTERNS = Map.of(
            "gh-ost",
            List.of("_(.+?)(?:_\\d{14})?_(?:gho|ghc|ghk|del)"),
            PT_OSC,
            List.of(OLD_AND_NEW),
            "vitess",
            List.of("_vt_(?:hld|prg|evc|drp|vrp)_[0-9a-f]{32}_\\d{14}_"),
            "spirit",
            List.of(OLD_AND_NEW, "_(.+)_chkpnt"));

    private final List<Pattern> patterns = new ArrayList<>();
    private final boolean hidesTriggers;

    /**
     * @param toolsOrPatterns names from {@link #TOOLS}, or regular expressions that must match a table's whole name; an empty list hides nothing
     * @throws TributaryException CONFIG_INVALID if one is not a regular expression
     */
    public HiddenTables(List<String> toolsOrPatterns) {
        for (String one : toolsOrPatterns) {
            for (String pattern : PATTERNS.getOrDefault(one.toLowerCase(Locale.ROOT), List.of(one))) {
                patterns.add(compile(pattern));
            }
        }
        hidesTriggers = toolsOrPatterns.stream().anyMatch(PT_OSC::equalsIgnoreCase);
    }

    private static Pattern compile(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "ddl.hidden: expected one of " + String.join(", ", TOOLS) + " or a regular expression, found '"
                            + pattern + "' (" + e.getDescription() + ")",
                    e);
        }
    }

    /** @param table a physical name without its schema */
    public boolean hides(String table) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(table).matches()) {
                return true;
            }
        }
        return false;
    }

    /** The table that a tool changes by means of a hidden one; empty if the table is not hidden, or its name does not contain the other name. */
    public Optional<String> original(String table) {
        for (Pattern pattern : patterns) {
            Matcher matcher = pattern.matcher(table);
            if (matcher.matches() && matcher.groupCount() > 0) {
                return Optional.ofNullable(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    /** Whether pt-online-schema-change copies rows with this trigger. */
    boolean hidesTrigger(String trigger) {
        return hidesTriggers && trigger.toLowerCase(Locale.ROOT).startsWith("pt_osc_");
    }

    /** Whether a hidden table may be a copy of this one; true if its pattern does not contain the name of the original. */
    boolean isCopyOf(String hidden, String table) {
        for (Pattern pattern : patterns) {
            Matcher matcher = pattern.matcher(hidden);
            if (matcher.matches()) {
                boolean namesTable = matcher.groupCount() > 0 && matcher.group(1) != null;
                if (!namesTable || matcher.group(1).equalsIgnoreCase(table)) {
                    return true;
                }
            }
        }
        return false;
    }
}
