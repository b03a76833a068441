package io.tributary.node.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Access to the nodes under the cluster's path in one session. Each call blocks until there is an answer, or fails with CLUSTER_UNREACHABLE. */
interface SharedTree {
    String EPOCH = "/epoch";
    String VOTERS = "/electors";
    String LEADER = "/leader";
    String PULSE = "/pulse";
    String MOVE = "/move";
    String IDENTITY = "/identity";
    String MEMBERS = "/members";
    String CANDIDATES = "/candidates";
    String CLAIMS = "/claims";

    /**
     * A node as it was read.
     *
     * @param version number of its changes, from 0
     * @param owner the session that an ephemeral node belongs to; 0 for none
     * @param czxid identifies it among earlier and later nodes at the same path (ZooKeeper's czxid)
     */
    record Node(NodeRecord fields, int version, long owner, long czxid) {}

    /** One of several changes that are made together or not at all. */
    sealed interface Change {
        /** Requires that the node exists. */
        record Exists(String path) implements Change {}

        /** Requires that the node exists with this version. */
        record HasVersion(String path, int version) implements Change {}

        /** Replaces the fields of a node that has this version. */
        record Write(String path, int version, NodeRecord fields) implements Change {}

        /** Creates a node that does not exist. */
        record Create(String path, NodeRecord fields, boolean isEphemeral) implements Change {}

        /** Deletes a node that has this version. */
        record Delete(String path, int version) implements Change {}
    }

    /** Result of a group of changes. */
    enum Answer {
        DONE,
        REFUSED,
        /** Either of the two. */
        UNKNOWN
    }

    /** Servers and path, for messages. */
    String where();

    /** This session's number, as in {@link Node#owner}. */
    long session();

    /** Everything that is read after this call is at least as new as what any other session wrote before it. */
    void sync();

    Optional<Node> read(String path);

    /** The children of a node by name; each as it was at some time during the call. */
    Map<String, Node> children(String path);

    /** Creates a node; returns false if it exists already. */
    boolean create(String path, NodeRecord fields, boolean isEphemeral);

    /** Creates a node unless it exists; returns the node that exists then. */
    Node createIfAbsent(String path, NodeRecord fields);

    /** Writes a node, whether it exists or not. */
    void write(String path, NodeRecord fields);

    /** Deletes a node, if it exists. */
    void delete(String path);

    /** Makes all changes or none of them; returns whether they were made. */
    boolean change(List<Change> changes);

    /** Like {@link #change}, without waiting; the callback may run on any thread. */
    void changeAsync(List<Change> changes, Consumer<Answer> callback);
}
