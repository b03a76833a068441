package io.tributary.node.command.setup;

import io.tributary.common.config.HostPort;
import java.nio.file.Path;
import java.util.List;

/**
 * The answers from which a configuration is made.
 *
 * @param shards in their order
 * @param folder of binlog and spill, absolute
 * @param serve address for readers
 * @param admin address of the admin endpoint
 * @param account Tributary's account on the shards
 * @param start earliest or latest: where a new stream begins on each shard
 */
record Setup(List<ShardAddress> shards, Path folder, HostPort serve, HostPort admin, Account account, String start) {
    /**
     * An account of MySQL.
     *
     * @param host from where it may log in, such as % or 10.0.0.%
     */
    record Account(String user, String host) {
        private static final String USER = "[A-Za-z0-9_]{1,32}";
        private static final String HOST = "[A-Za-z0-9._:%/-]{1,255}";

        Account {
            if (!user.matches(USER) || !host.matches(HOST)) {
                throw new IllegalArgumentException(
                        "expected an account of letters and digits, and a host such as %, 10.0.0.% or 10.0.0.0/255.255.255.0, found '"
                                + user + "' and '" + host + "'");
            }
        }

        @Override
        public String toString() {
            return "'" + user + "'@'" + host + "'";
        }
    }

    Setup {
        shards = List.copyOf(shards);
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("expected at least one shard, found none");
        }
        requireDistinct(shards.stream().map(ShardAddress::name).toList(), "names of shards");
        requireDistinct(shards.stream().map(each -> each.address().toString()).toList(), "addresses of shards");
    }

    private static void requireDistinct(List<String> texts, String what) {
        for (int i = 0; i < texts.size(); i++) {
            if (texts.indexOf(texts.get(i)) < i) {
                throw new IllegalArgumentException("expected different " + what + ", found " + texts.get(i) + " twice");
            }
        }
    }
}
