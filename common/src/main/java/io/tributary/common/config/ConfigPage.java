package io.tributary.common.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes docs/configuration.md from the records that declare the keys. */
public final class ConfigPage {
    private ConfigPage() {}

    /** @param sections records of keys by the title of their section, in order; a key is listed in the first section that has it */
    public static String markdown(Map<String, List<Class<? extends Record>>> sections) {
        StringBuilder page = new StringBuilder("""
                # Configuration

                <!-- Generated from the declared keys; do not edit. Regenerate: mvn -pl node test -Dtest=DocsPagesTest -Dtributary.docs.write=true -->

                The configuration file has lines `key = value`, each key once; a line that begins with `#` is a comment. There are no escapes and no
                continuation lines. In any value, `${env:NAME}` is replaced by an environment variable and `${file:/path}` by the content of a file.
                An unknown key, a value out of bounds or a missing required key prevents the start; the error lists all problems.
                Sizes are written as `64KiB`, `512MiB`, `2GiB`; durations as `50ms`, `3s`, `5min`, `1h`, `1d`. Values of secret keys are never printed.
                """);
        Map<String, DeclaredKey> seen = new LinkedHashMap<>();
        sections.forEach((title, records) -> {
            page.append("\n## ").append(title).append("\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
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
                + (key.live() ? " Applied by `tributary reload`." : "") + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
