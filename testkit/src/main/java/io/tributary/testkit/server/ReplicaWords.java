package io.tributary.testkit.server;

/**
 * How a release spells the statements of a replica.
 *
 * @param source the word before _HOST and the like
 * @param publicKey the options of a login without TLS, with a comma behind; empty where there are none
 * @param retryCount how often to try again, with a comma behind it
 */
record ReplicaWords(
        String change, String source, String start, String stop, String status, String publicKey, String retryCount) {
    static ReplicaWords of(MysqlRelease release) {
        if (release.isMysqlFrom(80023)) {
            String plain = release.isMysqlFrom(80400) ? "SOURCE_SSL=0, " : "";
            return new ReplicaWords(
                    "CHANGE REPLICATION SOURCE TO",
                    "SOURCE",
                    "START REPLICA",
                    "STOP REPLICA",
                    "SHOW REPLICA STATUS",
                    plain + "GET_SOURCE_PUBLIC_KEY=1, ",
                    "SOURCE_RETRY_COUNT=86400, ");
        }
        String key = release.isMysqlFrom(80004) ? "GET_MASTER_PUBLIC_KEY=1, " : "";
        String retries = release.isMariadb() ? "" : "MASTER_RETRY_COUNT=86400, ";
        return new ReplicaWords(
                "CHANGE MASTER TO", "MASTER", "START SLAVE", "STOP SLAVE", "SHOW SLAVE STATUS", key, retries);
    }
}
