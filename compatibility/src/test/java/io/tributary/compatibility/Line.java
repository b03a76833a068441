package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import java.util.Optional;

/** A line of docs/compatibility.md: a client before shards of a release, and what came of it. */
record Line(Client client, String version, String shards, Verdict verdict, String read) {
    static Line of(Client client, Stage stage, String shards) throws Exception {
        String version;
        try {
            version = client.version();
        } catch (Client.NotHere e) {
            return new Line(client, "", shards, Verdict.NOT_RUN, CompatibilityPage.plain(e.getMessage()));
        }
        String label = client.name() + " " + version + " " + client.mode();
        Attempt real = Attempt.of(client, stage.twin(label, client.isOld()));
        Attempt ours = Attempt.of(client, stage.tributary(label));
        if (ours.problem() == null && real.problem() == null) {
            Optional<String> difference = ours.reading().differenceTo(real.reading());
            return difference
                    .map(words -> new Line(client, version, shards, Verdict.DIFFERS, CompatibilityPage.plain(words)))
                    .orElseGet(() -> new Line(
                            client, version, shards, Verdict.SAME, client.compared().count(ours.reading())));
        }
        Verdict verdict = ours.problem() == null
                ? Verdict.ONLY_TRIBUTARY
                : real.problem() == null ? Verdict.FAILS : Verdict.REFUSES_BOTH;
        return new Line(client, version, shards, verdict, words(ours, real));
    }

    private static String words(Attempt ours, Attempt real) {
        String one = CompatibilityPage.plain(String.valueOf(ours.problem()));
        String other = CompatibilityPage.plain(String.valueOf(real.problem()));
        if (ours.problem() == null || real.problem() == null || one.equals(other)) {
            return ours.problem() == null ? other : one;
        }
        return "Tributary: " + one + " The real server: " + other;
    }

    /** What a client did before a source: a reading, or why there is none. */
    private record Attempt(Reading reading, String problem) {
        static Attempt of(Client client, Source source) {
            try {
                Reading reading = client.read(source);
                return client.compared().isWhole(reading)
                        ? new Attempt(reading, null)
                        : new Attempt(null, "it read " + client.compared().count(reading) + " and not the last row");
            } catch (Exception e) { // whatever a client does is what the matrix tells
                return new Attempt(null, e.getMessage() == null ? e.toString() : e.getMessage());
            }
        }
    }
}
