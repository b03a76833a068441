package io.tributary.transmitter;

/**
 * The identity of a stream: its cluster and its name.
 *
 * @param cluster the cluster's id
 * @param stream the stream's name, see {@code transmit.stream}
 */
public record StreamIdentity(String cluster, String stream) {
    /** Version of the protocol; both sides must have the same. */
    public static final int VERSION = 5;

    @Override
    public String toString() {
        return "stream " + stream + " of cluster " + cluster;
    }
}
