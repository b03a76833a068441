package io.tributary.common.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes docs/configuration.md from the records that declare the keys. */
public final class ConfigPage {
    private ConfigPage() {}

    /** @param sections records of keys under the title of their section, in order; a key stands where it comes first */
    public static String markdown(Map<String, List<Class<? extends Record>>> sections) {
        StringBuilder page = new StringBuilder("""
                # Configuration

                <!-- Generated from the declared keys; do not edit. Regenerate: mvn -pl node test -Dtest=DocsPagesTest -Dtributary.docs.write=true -->

                A file of lines `key = value`, each key once; a line that begins with `#` is a comment. There are no escapes and no
                continued lines. `${env:NAME}` stands for an environment variable and `${file:/path}` for a file's content, in any value.
                An unknown key, a value out of bounds or a missing required key stops the start, and all problems are listed at once.
                Sizes are written `64KiB`, `512MiB`, `2GiB`; durations `50ms`, `3s`, `5min`, `1h`, `1d`. Values of secret keys never print.
                """);
        Map<String, DeclaredKey> seen = new LinkedHashMap<>();
        sections.forEach((title, records) -> {
            page.append("\n## ")
                    .append(title)
                    .append("\n\n| key | value | default | what it says |\n|---|---|---|---|\n");
            for (Class<? extends Record> record : records) {
                for (DeclaredKey declared : DeclaredKey.of(record)) {
                    if (seen.putIfAbsent(declared.name(), declared) == null) {
                        page.append(row(declared));
                    }
                }
            }
        });
        return page.toString();
    }

    private static String row(DeclaredKey declared) {
        Key key = declared.key();
        String byDefault =
                key.required() ? "required" : key.byDefault().isEmpty() ? "" : "`" + cell(key.byDefault()) + "`";
        String type = declared.type().expectation(key)
                + (declared.type().isSecret() ? ", secret" : "")
                + (declared.type().form() == ValueType.Form.OPTIONAL ? ", optional" : "");
        return "| `" + declared.name() + "` | " + cell(type) + " | " + byDefault + " | " + cell(key.about())
                + (key.formerly().isEmpty() ? "" : " Formerly `" + key.formerly() + "`.")
                + (key.live() ? " Taken by `tributary reload`." : "") + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
