package io.tributary.node.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.metric.Metric;
import io.tributary.node.command.TributaryCommand;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.StopSignal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Every configuration key, metric, command line, package and method that the pages name exists. */
class DocsNamesTest {
    private static final Pattern KEY_ROW = Pattern.compile("(?m)^\\| `([a-z][^`]+)` \\|");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|(?m)^ {4}.*$|`[^`\\n]+`");
    private static final Pattern KEY =
            Pattern.compile("(?<![\\w./:@-])([a-z]+)((?:\\.(?:[a-z0-9-]+|[A-Z]+|<[a-z]+>))+)(\\.\\*)?(?![\\w/(:@])");
    /** Names of files, such as those of a configuration. */
    private static final Pattern FILE =
            Pattern.compile(".*\\.(?:md|properties|pem|proto|lock|place|high-water|\\d+|NNNNNN.*)");
    /** Names that others have given. */
    private static final Set<String> OTHERS = Set.of("node.tributary", "grpc.health.v1");

    /** Only the generated page lists these, beside the names of today. */
    private static final Pattern FORMER = Pattern.compile("Formerly `([^`]+)`");

    private static final Pattern METRIC = Pattern.compile("\\btributary_[a-z_]+(\\*|\\{)?");
    /** Schemas that Tributary makes on other servers. */
    private static final Set<String> SCHEMAS = Set.of("tributary_apply", "tributary_seed");

    private static final Pattern COMMAND =
            Pattern.compile("(?<![\\w/-])(?:bin/)?tributary (?!backup file 1|backup key id)((?:[a-z]|--)[^`|\\n]*)");
    /** Words in a command line: quoted or not. */
    private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

    private static final Pattern METHOD = Pattern.compile("`([A-Z][A-Za-z]+)\\.([a-z][A-Za-z]*)`");

    private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| ((?:`[a-z.]+`(?:, )?)+) \\|");
    /** Modules outside the product. */
    private static final Set<String> OUTSIDE =
            Set.of("testkit", "local-cluster", "bench", "stress", "faults", "compatibility", "quickstart");

    private final CommandLine line = TributaryCommand.commandLine(new StopSignal());

    private static List<Path> pages() {
        return ProjectText.files(".md").stream()
                .filter(page -> !page.endsWith("CHANGELOG.md"))
                .toList();
    }

    @Test
    void keysExist() {
        Set<String> keys = KEY_ROW.matcher(NodeKeys.page())
                .results()
                .map(row -> row.group(1).replaceAll("<[a-z]+>", "<>"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> firsts =
                keys.stream().map(key -> key.replaceAll("\\..*", "")).collect(Collectors.toSet());
        String literals = literals();
        String former = FORMER.matcher(NodeKeys.page())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining(" "));
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            String known = page.endsWith("configuration.md") ? former : "";
            for (String code : code(page)) {
                Matcher name = KEY.matcher(code);
                while (name.find()) {
                    String text = name.group(1) + name.group(2);
                    if (firsts.contains(name.group(1)) && !FILE.matcher(text).matches() && !OTHERS.contains(text)) {
                        named++;
                        boolean isKnown = name.group(3) == null
                                ? known.contains(text)
                                        || keys.contains(general(text))
                                        || isPackage(text)
                                        || isLiteral(text, literals)
                                : keys.stream().anyMatch(key -> key.startsWith(general(text) + "."));
                        if (!isKnown) {
                            unknown.add(page + ": " + name.group());
                        }
                    }
                }
            }
        }
        assertTrue(named > 500, "found " + named + " names of keys");
        assertEquals("", String.join("\n", unknown));
    }

    /** The key with {@code <>} in the place of the name of a shard, table or relay. */
    private static String general(String key) {
        return key.replaceAll("^(shard|relay)\\.[^.]+", "$1.<>").replaceAll("^table\\.map\\.[^.]+", "table.map.<>");
    }

    /** The status shows facts whose names have the form of a key. */
    private static String literals() {
        return ProjectText.files(".java").stream()
                .filter(file -> file.toString().contains("/node/src/main/"))
                .map(ProjectText::text)
                .collect(Collectors.joining());
    }

    /** Whether it is a literal of the sources; some are made of a first part and the rest. */
    private static boolean isLiteral(String name, String literals) {
        int dot = name.indexOf('.');
        boolean isOfShard = name.matches("shard\\.NAME\\..*");
        String rest = isOfShard ? name.substring(name.lastIndexOf('.')) : name.substring(dot);
        return literals.contains('"' + name + '"') || literals.contains('"' + rest + '"');
    }

    private static boolean isPackage(String name) {
        return Stream.of("binlog", "serve", "node", "apply", "sink", "backup", "collector")
                .map(module -> ProjectText.HOME.resolve(module + "/src/main/java/io/tributary/"))
                .flatMap(sources -> Stream.of(
                        sources.resolve(name.replace('.', '/')),
                        sources.resolve("collector/" + name.replace('.', '/'))))
                .anyMatch(Files::isDirectory);
    }

    private static List<String> code(Path page) {
        return CODE.matcher(ProjectText.text(page))
                .results()
                .map(found -> found.group())
                .toList();
    }

    /** The page of the structure of the code lists every package of the product, and no other. */
    @Test
    void packagesAreListed() {
        String page = ProjectText.text(ProjectText.HOME.resolve("docs/internals/architecture.md"));
        String list = page.substring(page.indexOf("## Packages"));
        Set<String> listed = PACKAGE_ROW
                .matcher(list)
                .results()
                .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ", -1)))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> found = ProjectText.files("package-info.java").stream()
                .map(file -> ProjectText.HOME.relativize(file).toString())
                .filter(file -> file.contains("/src/main/java/io/tributary/")
                        && OUTSIDE.stream().noneMatch(module -> file.startsWith(module + "/")))
                .map(file -> file.replaceAll(".*/io/tributary/(.*)/package-info\\.java", "$1")
                        .replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(String.join("\n", found), String.join("\n", listed));
    }

    /** A method that a page for developers names with its class, as in {@code XaOrder.receive}, is there. */
    @Test
    void methodsExist() {
        Map<String, Path> sources = new HashMap<>();
        ProjectText.files(".java")
                .forEach(file -> sources.put(file.getFileName().toString().replace(".java", ""), file));
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            Matcher method = METHOD.matcher(ProjectText.text(page));
            while (method.find()) {
                Path source = sources.get(method.group(1));
                if (source != null) {
                    named++;
                    if (!Pattern.compile("\\b" + method.group(2) + "\\b")
                            .matcher(ProjectText.text(source))
                            .find()) {
                        unknown.add(page + ": " + method.group());
                    }
                }
            }
        }
        assertTrue(named > 100, "found " + named + " names of methods");
        assertEquals("", String.join("\n", unknown));
    }

    @Test
    void metricsExist() {
        Set<String> metrics = Stream.of(Metric.values())
                .flatMap(metric -> Stream.of(
                        metric.text() + (metric.kind() == Metric.Kind.COUNTER ? "_total" : ""), metric.formerly()))
                .map(name -> name.replace('.', '_'))
                .collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            Matcher name = METRIC.matcher(ProjectText.text(page));
            while (name.find()) {
                named++;
                String text = name.group();
                boolean isPrefix = text.endsWith("*") || text.endsWith("_{");
                String plain = text.replaceAll("[*{]$", "");
                if (isPrefix
                        ? metrics.stream().noneMatch(each -> each.startsWith(plain))
                        : !metrics.contains(plain) && !SCHEMAS.contains(plain)) {
                    unknown.add(page + ": " + text);
                }
            }
        }
        assertTrue(named > 100, "found " + named + " names of metrics");
        assertEquals("", String.join("\n", unknown));
    }

    @Test
    void commandLinesAreAccepted() {
        List<String> wrong = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            for (String code : code(page)) {
                Matcher command = COMMAND.matcher(code.replaceAll("\\\\\\n\\s*", " "));
                while (command.find()) {
                    named++;
                    problem(words(command.group(1)), !isWhole(code, command.start()))
                            .forEach(problem -> wrong.add(page + ": " + command.group() + ": " + problem));
                }
            }
        }
        assertTrue(named > 100, "found " + named + " command lines");
        assertEquals("", String.join("\n", wrong));
    }

    /** Whether the command line is a line of its own in a block of code. */
    private static boolean isWhole(String code, int at) {
        String line = code.substring(code.lastIndexOf('\n', at) + 1);
        return (code.startsWith("```") || code.startsWith("    "))
                && !line.replaceAll("(?s)\n.*", "").contains("`")
                && line.strip().matches("(?s)(?:bin/)?tributary .*");
    }

    private static List<String> words(String text) {
        return WORD.matcher(text.replaceAll(" #.*| 2?>.*|[\\[\\]]", ""))
                .results()
                .map(word -> word.group().replace("'", ""))
                .toList();
    }

    /** @param isPart whether it may be a part of a command line: the options must exist; else all that is required must be there */
    private Stream<String> problem(List<String> words, boolean isPart) {
        if (!isPart && !words.contains("...")) {
            try {
                line.parseArgs(words.toArray(String[]::new));
                return Stream.of();
            } catch (CommandLine.ParameterException e) {
                return Stream.of(e.getMessage());
            }
        }
        CommandSpec spec = line.getCommandSpec();
        List<String> unknown = new ArrayList<>();
        for (String word : words) {
            if (spec.subcommands().containsKey(word)) {
                spec = spec.subcommands().get(word).getCommandSpec();
            } else if (word.startsWith("-") && spec.findOption(word.replaceAll("=.*", "")) == null) {
                unknown.add("no option " + word);
            } else if (!word.startsWith("-") && !spec.subcommands().isEmpty() && !word.equals("...")) {
                unknown.add("no command " + word);
                break;
            }
        }
        return unknown.stream();
    }
}
