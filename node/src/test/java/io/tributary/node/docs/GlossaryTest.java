package io.tributary.node.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Words that docs/glossary.md lists as not used are in no name, comment or message of the sources, and on no page. */
class GlossaryTest {
    private static final Path GLOSSARY = Path.of("docs", "glossary.md");
    private static final String FORBIDDEN = "## Words that are not used";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\|$");
    private static final Pattern CODE_SPAN = Pattern.compile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|(?m)^ {4}.*$");
    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");

    /** Names that are stored or were public in the version before, and that are kept for it. */
    private static final List<String> KEPT = List.of(
            "\"/electors\"",
            "\"elector.\"",
            "electors                 the voters",
            "--patience",
            "tributary.extract.hole.seconds",
            "tributary_extract_hole_seconds");

    private final Pattern forbidden = forbidden();

    private static Pattern forbidden() {
        String page = ProjectText.text(ProjectText.HOME.resolve(GLOSSARY));
        Matcher rows = ROW.matcher(page.substring(page.indexOf(FORBIDDEN)));
        List<String> words = rows.results()
                .map(row -> row.group(1))
                .filter(cell -> !cell.equals("not") && !cell.startsWith("---"))
                .flatMap(cell -> Arrays.stream(cell.split(", ", -1)))
                .toList();
        assertTrue(words.size() > 10, words::toString);
        String any = words.stream().map(word -> word.replace(" ", "\\s+")).collect(Collectors.joining("|"));
        return Pattern.compile("\\b(" + any + ")(s|es|ed|ing)?\\b", Pattern.CASE_INSENSITIVE);
    }

    @Test
    void pagesUseTheWordsOfTheGlossary() {
        List<String> found = new ArrayList<>();
        for (Path page : ProjectText.files(".md")) {
            if (!page.endsWith(GLOSSARY)) {
                collect(page, CODE_SPAN.matcher(ProjectText.text(page)).replaceAll(""), found);
            }
        }
        assertEquals(List.of(), found);
    }

    @Test
    void sourcesUseTheWordsOfTheGlossary() {
        List<String> found = new ArrayList<>();
        for (String ending : List.of(".java", ".proto", ".properties")) {
            for (Path source : ProjectText.files(ending)) {
                if (!source.endsWith("GlossaryTest.java")) {
                    collect(source, ProjectText.text(source), found);
                }
            }
        }
        assertEquals(List.of(), found);
    }

    /** The test would pass with a pattern that matches nothing. */
    @Test
    void theWordsAreFoundInNamesAndText() {
        assertTrue(isForbidden("void endsTheReignOfAnother()"));
        assertTrue(isForbidden("MOST_PATIENCE_MILLIS"));
        assertTrue(isForbidden("reading goes\non"));
        assertFalse(isForbidden("onlyANewStreamBegins"));
        assertFalse(isForbidden("the whole list of foreign keys is amended"));
    }

    private boolean isForbidden(String text) {
        return forbidden.matcher(words(text)).find();
    }

    private static String words(String text) {
        String kept = text;
        for (String name : KEPT) {
            kept = kept.replace(name, "");
        }
        return CAMEL.matcher(kept).replaceAll(" ");
    }

    private void collect(Path file, String text, List<String> found) {
        Matcher words = forbidden.matcher(words(text));
        while (words.find()) {
            String start = words(text).substring(0, words.start());
            found.add(ProjectText.HOME.relativize(file) + ":"
                    + (1 + start.chars().filter(c -> c == '\n').count()) + ": "
                    + words.group().toLowerCase(Locale.ROOT));
        }
    }
}
