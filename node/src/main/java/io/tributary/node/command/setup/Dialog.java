package io.tributary.node.command.setup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** Questions at a terminal; a wrong answer is explained, and the question is asked again. */
final class Dialog {
    private final BufferedReader in;
    private final PrintWriter out;

    Dialog(BufferedReader in, PrintWriter out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Asks until the answer is valid.
     *
     * @param parse makes the value; throws IllegalArgumentException with what was expected
     * @throws IllegalArgumentException if the input ends
     */
    <T> T ask(String question, Function<String, T> parse) {
        while (true) {
            out.print(question + ": ");
            out.flush();
            String answer = line();
            if (answer == null) {
                throw new IllegalArgumentException(
                        "expected an answer, found the end of the input; nothing was written");
            }
            try {
                return parse.apply(answer.strip());
            } catch (IllegalArgumentException e) {
                out.println(e.getMessage());
            }
        }
    }

    private String line() {
        try {
            return in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
