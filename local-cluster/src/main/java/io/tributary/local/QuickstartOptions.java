package io.tributary.local;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line options of the quickstart.
 *
 * @param setting what is run
 * @param once exit after the verdict, with the verdict as exit status
 * @param seconds how long the load runs, 1 or more
 * @param seed seed of the load
 * @param lease {@code cluster.lease} of the cluster in seconds, 1 to 10
 */
record QuickstartOptions(Setting setting, boolean once, int seconds, long seed, int lease) {
    /** What is run. */
    enum Setting {
        /** One node and a replica. */
        NODE,
        /** A cluster of nodes, whose leader is killed. */
        CLUSTER,
        /** The shards hold rows before the node is started, their first binlogs are purged, and the replica is seeded. */
        WITH_DATA,
        /** A sink, a Kafka broker, and a consumer that fills a MySQL server. */
        KAFKA
    }

    static final String USAGE =
            "usage: ./quickstart [--cluster | --with-data | --kafka] [--once] [--seconds N] [--seed N] [--lease N]";

    /** @throws IllegalArgumentException for an unknown option or a value out of range; the message names it */
    static QuickstartOptions parse(String... arguments) {
        List<Setting> settings = new ArrayList<>();
        boolean once = false;
        long seconds = 20;
        long seed = 1;
        long lease = 3;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--cluster" -> settings.add(Setting.CLUSTER);
                case "--with-data" -> settings.add(Setting.WITH_DATA);
                case "--kafka" -> settings.add(Setting.KAFKA);
                case "--once" -> once = true;
                case "--seconds" -> seconds = number(arguments, ++i);
                case "--seed" -> seed = number(arguments, ++i);
                case "--lease" -> lease = number(arguments, ++i);
                default -> throw new IllegalArgumentException("unknown option: " + arguments[i]);
            }
        }
        if (settings.size() > 1) {
            throw new IllegalArgumentException("--cluster, --with-data and --kafka exclude each other");
        }
        if (seconds < 1 || seconds > 86_400) {
            throw new IllegalArgumentException("--seconds takes 1 to 86400");
        }
        if (lease < 1 || lease > 10) {
            throw new IllegalArgumentException("--lease takes 1 to 10");
        }
        return new QuickstartOptions(settings.isEmpty() ? Setting.NODE : settings.get(0), once, (int) seconds, seed, (int) lease);
    }

    private static long number(String[] arguments, int index) {
        try {
            return Long.parseLong(arguments[index]);
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException(arguments[index - 1] + " takes a number", e);
        }
    }
}
