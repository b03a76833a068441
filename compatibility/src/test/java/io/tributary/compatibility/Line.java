package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;

/** A line of docs/compatibility.md. */
record Line(String client, String version, String mode, String shards, Verdict verdict, String read) {
    static Line of(Client client, Stage stage, String shards) throws Exception {
        String version;
        try {
            version = client.version();
        } catch (Client.NotHere e) {
            return new Line(client.name(), "", client.mode(), shards, Verdict.NOT_RUN, e.getMessage());
        }
        String label = client.name() + " " + version + " " + client.mode();
        Attempt real = Attempt.of(client, stage.twin(label, client.isOld()));
        Attempt ours = Attempt.of(client, stage.tributary(label));
        Verdict verdict;
        String read;
        if (ours.problem() != null) {
            verdict = real.problem() == null ? Verdict.FAILS : Verdict.REFUSES_BOTH;
            read = ours.problem();
        } else if (real.problem() != null) {
            verdict = Verdict.ONLY_TRIBUTARY;
            read = real.problem();
        } else {
            var difference = ours.reading().differenceTo(real.reading());
            verdict = difference.isEmpty() && ours.reading().rows() > 0 ? Verdict.SAME : Verdict.DIFFERS;
            read = difference.orElseGet(() -> words(ours.reading()));
        }
        return new Line(client.name(), version, client.mode(), shards, verdict, read);
    }

    private static String words(Reading reading) {
        return reading.transactions().size() + " transactions, " + reading.rows() + " rows"
                + (reading.statements().isEmpty()
                        ? ""
                        : ", " + reading.statements().size() + " DDL");
    }

    /** What a client did before a source: a reading, or why there is none. */
    private record Attempt(Reading reading, String problem) {
        static Attempt of(Client client, Source source) {
            try {
                return new Attempt(client.read(source), null);
            } catch (Exception e) { // whatever a client does is what the matrix tells
                return new Attempt(null, e.getMessage() == null ? e.toString() : e.getMessage());
            }
        }
    }
}
