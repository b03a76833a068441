package io.tributary.node.command.output;

import io.tributary.node.text.JsonText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of all commands that print facts: the form of the output. */
public final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputForm.Converter.class,
            completionCandidates = OutputForm.Candidates.class,
            description = "Output format, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private OutputForm form;

    @Option(names = "--json", description = "The same as -o json.")
    private boolean asJson;

    /** The form that was requested. */
    public OutputForm form() {
        return asJson ? OutputForm.JSON : form;
    }

    /** Whether people read the output. */
    public boolean isTable() {
        return form() == OutputForm.TABLE;
    }

    /**
     * Prints a value: a table for people is made of its entries, or of its items if it is a list of maps.
     *
     * @param value maps, lists, texts, numbers, booleans and null
     */
    public void print(Object value) {
        print(value, () -> FactsText.of(value));
    }

    /**
     * Prints a value.
     *
     * @param value maps, lists, texts, numbers, booleans and null
     * @param table the text for people; complete lines
     */
    public void print(Object value, Supplier<String> table) {
        text(
                switch (form()) {
                    case TABLE -> table.get();
                    case JSON -> JsonText.of(value) + "\n";
                    case YAML -> YamlText.of(value);
                });
    }

    /** Prints an answer in JSON, in the form that was requested; not for tables. */
    public void printJson(String json) {
        text(form() == OutputForm.YAML ? YamlText.of(YamlText.parse(json)) : json);
    }

    private void text(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    /** Prints rows: a table with these titles for people, else a list of maps. */
    public void print(List<Map<String, Object>> rows, String... titles) {
        print(rows, () -> FactsText.table(rows, titles));
    }
}
