package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One session's view of a simulated coordinator that answers late, loses answers, and does not execute a request before which the caller died. The
 * calling thread executes requests. Other Dumpers may act before each request, as if this process had been stopped there.
 */
final class SimulatedTree implements SharedTree {
    /** The coordinator's nodes, which all sessions share. */
    static final class Store {
        private final Map<String, Node> nodes = new TreeMap<>();
        private long births;

        Optional<Node> at(String path) {
            return Optional.ofNullable(nodes.get(path));
        }

        /** Removes the ephemeral nodes of all other sessions. */
        void endSessionsBut(Collection<Long> alive) {
            nodes.values().removeIf(node -> node.owner() != 0 && !alive.contains(node.owner()));
        }

        private void put(String path, NodeRecord fields, long owner) {
            Node before = nodes.get(path);
            nodes.put(
                    path,
                    before == null
                            ? new Node(fields, 0, owner, ++births)
                            : new Node(fields, before.version() + 1, before.owner(), before.czxid()));
        }
    }

    /** The process died during a request. */
    static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Store store;
    private final Random random;
    private final Runnable meanwhile;
    private final Runnable onRequest;
    private final boolean hidesVoters;
    private long session;
    boolean isCutOff;
    boolean mayDie;
    boolean isCalm;

    /**
     * @param meanwhile actions of others before a request is executed
     * @param onRequest called when the coordinator receives a request of this session
     * @param hidesVoters whether the voters are hidden, to check that a cluster that forgets them fails
     */
    SimulatedTree(
            Store store, long session, Random random, Runnable meanwhile, Runnable onRequest, boolean hidesVoters) {
        this.onRequest = onRequest;
        this.hidesVoters = hidesVoters;
        this.store = store;
        this.session = session;
        this.random = random;
        this.meanwhile = meanwhile;
    }

    /** The coordinator has ended the session, and the next one begins. */
    void expire(long next) {
        store.nodes.values().removeIf(node -> node.owner() == session);
        session = next;
    }

    private interface Doing<T> {
        T run();
    }

    /** Executes a request, or does not, or executes it and loses the answer. */
    private <T> T ask(boolean changes, Doing<T> doing) {
        meanwhile.run();
        if (isCutOff) {
            throw unreachable();
        }
        int fate = isCalm ? Integer.MAX_VALUE : random.nextInt(60);
        if (fate == 0) {
            throw unreachable();
        }
        onRequest.run();
        if (mayDie && fate == 1) {
            throw new Died();
        }
        T answer = doing.run();
        if (mayDie && fate == 2) {
            throw new Died();
        }
        if (changes && fate < 6) {
            throw unreachable();
        }
        return answer;
    }

    private static TributaryException unreachable() {
        return new TributaryException(ErrorCode.CLUSTER_UNREACHABLE, "the answer was lost");
    }

    @Override
    public String where() {
        return "the simulation";
    }

    @Override
    public long session() {
        return session;
    }

    @Override
    public void sync() {
        write(PULSE, NodeRecord.none());
    }

    @Override
    public Optional<Node> read(String path) {
        return ask(false, () -> store.at(path).filter(node -> !hidesVoters || !path.equals(VOTERS)));
    }

    @Override
    public Map<String, Node> children(String path) {
        Map<String, Node> children = new HashMap<>();
        for (String each : List.copyOf(store.nodes.keySet())) {
            if (each.startsWith(path + "/")) {
                read(each).ifPresent(node -> children.put(each.substring(path.length() + 1), node));
            }
        }
        return children;
    }

    @Override
    public boolean create(String path, NodeRecord fields, boolean isEphemeral) {
        return ask(true, () -> {
            boolean isNew = store.at(path).isEmpty();
            if (isNew) {
                store.put(path, fields, isEphemeral ? session : 0);
            }
            return isNew;
        });
    }

    @Override
    public Node createIfAbsent(String path, NodeRecord fields) {
        create(path, fields, false);
        return read(path).orElseThrow();
    }

    @Override
    public void write(String path, NodeRecord fields) {
        ask(true, () -> {
            store.put(path, fields, 0);
            return true;
        });
    }

    @Override
    public void delete(String path) {
        ask(true, () -> store.nodes.remove(path));
    }

    @Override
    public boolean change(List<Change> changes) {
        return ask(true, () -> changeNow(changes));
    }

    @Override
    public void changeAsync(List<Change> changes, Consumer<Answer> callback) {
        if (isCutOff || !isCalm && random.nextInt(20) == 0) {
            callback.accept(Answer.UNKNOWN);
        } else {
            onRequest.run();
            callback.accept(changeNow(changes) ? Answer.DONE : Answer.REFUSED);
        }
    }

    private boolean changeNow(List<Change> changes) {
        if (!changes.stream().allMatch(this::isPossible)) {
            return false;
        }
        changes.forEach(this::make);
        return true;
    }

    private boolean hasVersion(String path, int version) {
        return store.at(path)
                .filter(node -> version < 0 || node.version() == version)
                .isPresent();
    }

    private boolean isPossible(Change change) {
        if (change instanceof Change.Exists there) {
            return hasVersion(there.path(), -1);
        } else if (change instanceof Change.HasVersion same) {
            return hasVersion(same.path(), same.version());
        } else if (change instanceof Change.Write write) {
            return hasVersion(write.path(), write.version());
        } else if (change instanceof Change.Create create) {
            return !hasVersion(create.path(), -1);
        }
        Change.Delete delete = (Change.Delete) change;
        return hasVersion(delete.path(), delete.version());
    }

    private void make(Change change) {
        if (change instanceof Change.Write write) {
            store.put(write.path(), write.fields(), 0);
        } else if (change instanceof Change.Create create) {
            store.put(create.path(), create.fields(), create.isEphemeral() ? session : 0);
        } else if (change instanceof Change.Delete delete) {
            store.nodes.remove(delete.path());
        }
    }
}
