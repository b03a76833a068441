package io.tributary.local.example;

import io.tributary.common.config.HostPort;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line options of the example.
 *
 * @param tso the address of the TSO service
 * @param shards addresses of two or more shards
 * @param user an account that may write to the schemas tso_example and tributary on every shard
 */
record TransferOptions(HostPort tso, List<HostPort> shards, String user, String password, int workers, int seconds) {
    static final String USAGE = "usage: bin/example-tso --tso HOST:PORT --shard HOST:PORT --shard HOST:PORT ..."
            + " --user NAME --password WORD [--workers N] [--seconds N]";

    TransferOptions {
        shards = List.copyOf(shards);
        if (tso == null || shards.size() < 2) {
            throw new IllegalArgumentException("expected --tso and two or more --shard");
        }
        if (workers < 1 || workers > 1000 || seconds < 1 || seconds > 86_400) {
            throw new IllegalArgumentException("--workers takes 1 to 1000, --seconds 1 to 86400");
        }
    }

    /** @throws IllegalArgumentException for an unknown option or a value out of range; the message names it */
    static TransferOptions parse(String... arguments) {
        HostPort tso = null;
        List<HostPort> shards = new ArrayList<>();
        String user = "root";
        String password = "";
        int workers = 4;
        int seconds = 10;
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--tso" -> tso = HostPort.parse(value);
                case "--shard" -> shards.add(HostPort.parse(value));
                case "--user" -> user = value;
                case "--password" -> password = value;
                case "--workers" -> workers = Integer.parseInt(value);
                case "--seconds" -> seconds = Integer.parseInt(value);
                default -> throw new IllegalArgumentException("unknown option: " + arguments[i]);
            }
        }
        if (arguments.length % 2 != 0) {
            throw new IllegalArgumentException("no value for " + arguments[arguments.length - 1]);
        }
        return new TransferOptions(tso, shards, user, password, workers, seconds);
    }
}
