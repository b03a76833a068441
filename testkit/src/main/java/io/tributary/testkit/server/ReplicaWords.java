package io.tributary.testkit.server;

/**
 * The syntax of a release for the statements of a replica.
 *
 * @param source the word before _HOST and the like
 * @param publicKey the option that asks the source for its key, with a comma after it; empty if there is none
 * @param retryCount the option for the number of retries, with a comma after it
 */
record ReplicaWords(
        String change, String source, String start, String stop, String status, String publicKey, String retryCount) {
    static ReplicaWords of(MysqlRelease release) {
        if (release.isMysqlFrom(80023)) {
            return new ReplicaWords(
                    "CHANGE REPLICATION SOURCE TO",
                    "SOURCE",
                    "START REPLICA",
                    "STOP REPLICA",
                    "SHOW REPLICA STATUS",
                    "GET_SOURCE_PUBLIC_KEY=1, ",
                    "SOURCE_RETRY_COUNT=86400, ");
        }
        String key = release.isMysqlFrom(80004) ? "GET_MASTER_PUBLIC_KEY=1, " : "";
        String retries = release.isMariadb() ? "" : "MASTER_RETRY_COUNT=86400, ";
        return new ReplicaWords(
                "CHANGE MASTER TO", "MASTER", "START SLAVE", "STOP SLAVE", "SHOW SLAVE STATUS", key, retries);
    }
}
