package io.tributary.node.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The nodes under the cluster's path as one session has them; each call blocks until there is an answer or CLUSTER_UNREACHABLE. */
interface SharedTree {
    String EPOCH = "/epoch";
    String ELECTORS = "/electors";
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
     * @param version counts its changes, from 0
     * @param owner the session that it goes with; 0 for none
     * @param born tells it from others that were at its path
     */
    record Node(Fields fields, int version, long owner, long born) {}

    /** One of several changes that are made together or not at all. */
    sealed interface Change {
        /** It is there. */
        record There(String path) implements Change {}

        /** It is there with this version. */
        record Unchanged(String path, int version) implements Change {}

        /** It gets other fields, and had this version. */
        record Write(String path, int version, Fields fields) implements Change {}

        /** It was not there, and is. */
        record Create(String path, Fields fields, boolean isEphemeral) implements Change {}

        /** It had this version, and is no more. */
        record Delete(String path, int version) implements Change {}
    }

    /** What became of changes. */
    enum Answer {
        DONE,
        REFUSED,
        /** One of the two. */
        UNKNOWN
    }

    /** Servers and path, for messages. */
    String where();

    /** This session's number, as nodes name their owner. */
    long session();

    /** Whatever is read from now on is at least as new as what any other session had written before. */
    void catchUp();

    Optional<Node> read(String path);

    /** By their names; each as it was at some time of the call. */
    Map<String, Node> children(String path);

    /** Whether it was not there. */
    boolean create(String path, Fields fields, boolean isEphemeral);

    /** Creates it unless it is there; what is there then. */
    Node createdOnce(String path, Fields fields);

    /** Writes it, there or not. */
    void write(String path, Fields fields);

    /** Deletes it, there or not. */
    void delete(String path);

    /** Whether all of them were made; none otherwise. */
    boolean change(List<Change> changes);

    /** Asks for the same and does not wait; the answer may come on any thread. */
    void changeLater(List<Change> changes, Consumer<Answer> told);
}
