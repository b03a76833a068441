package io.tributary.node.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every page that sources and pages name exists, and so does every heading that they link to. */
class DocsLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");
    /** A page, and the heading behind a comma: "docs/operations.md, A transaction without a GTID)". */
    private static final Pattern NAMED = Pattern.compile("docs/([a-z0-9/_-]+\\.md)(?:, ([A-Z][A-Za-z ]+)\\))?");

    @Test
    void linksOfPagesResolve() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : ProjectText.files(".md")) {
            Matcher link =
                    LINK.matcher(CODE_BLOCK.matcher(ProjectText.text(page)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://") && !target.startsWith("mailto:")) {
                    links++;
                    if (!resolves(page, target)) {
                        broken.add(page + ": " + target);
                    }
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > 50, "found " + links + " links");
    }

    private static boolean resolves(Path page, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(file) && (hash < 0 || anchors(file).contains(target.substring(hash + 1)));
    }

    /** As GitHub makes them of headings; of the second one of a name it makes another anchor, which nobody should link to. */
    private static Set<String> anchors(Path page) {
        return HEADING.matcher(CODE_BLOCK.matcher(ProjectText.text(page)).replaceAll(""))
                .results()
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    @Test
    void pagesThatSourcesNameExist() {
        List<String> broken = new ArrayList<>();
        int named = 0;
        for (String ending : List.of(".java", ".proto", ".properties", ".service", ".xml")) {
            for (Path source : ProjectText.files(ending)) {
                Matcher page = NAMED.matcher(ProjectText.text(source)
                        .replaceAll("\"\\s*\\+ \"|\\n\\s*\\* ?", " ")
                        .replace("  ", " "));
                while (page.find()) {
                    named++;
                    Path file = ProjectText.HOME.resolve("docs").resolve(page.group(1));
                    boolean isThere = Files.exists(file)
                            && (page.group(2) == null || anchors(file).contains(anchor(page.group(2))));
                    if (!isThere) {
                        broken.add(source + ": " + page.group());
                    }
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(named > 20, "found " + named + " names of pages");
    }
}
