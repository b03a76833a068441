package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.Members;
import io.tributary.common.error.TributaryException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cached state of ZooKeeper: members, leader and claims as they were received last. The state is kept while ZooKeeper cannot be reached. A member
 * or a claim that cannot be parsed is left out and logged, once for each change of it.
 */
final class ZooKeeperView implements Members, Leadership, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperView.class);

    private final CuratorCache members;
    private final CuratorCache claims;
    private final CuratorCache leader;
    private final CuratorCache move;
    private final Map<String, Long> unreadable = new ConcurrentHashMap<>(); // by path: the change that was logged last
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    ZooKeeperView(ZooKeeperTree tree) {
        this.members = CuratorCache.build(tree.client(), ZooKeeperTree.MEMBERS);
        this.claims = CuratorCache.build(tree.client(), ZooKeeperTree.CLAIMS);
        this.leader = CuratorCache.build(tree.client(), ZooKeeperTree.LEADER, CuratorCache.Options.SINGLE_NODE_CACHE);
        this.move = CuratorCache.build(tree.client(), ZooKeeperTree.MOVE, CuratorCache.Options.SINGLE_NODE_CACHE);
        leader.listenable().addListener((type, before, after) -> listeners.forEach(Runnable::run));
        members.start();
        claims.start();
        leader.start();
        move.start();
    }

    @Override
    public List<ClusterMember> list() {
        return children(members, ZooKeeperTree.MEMBERS, (name, fields) -> fields.member(name))
                .sorted(Comparator.comparing(ClusterMember::id))
                .toList();
    }

    List<Claim> claims() {
        return children(claims, ZooKeeperTree.CLAIMS, (name, fields) -> fields.claim(name))
                .sorted(Comparator.comparing(Claim::what))
                .toList();
    }

    private <T> Stream<T> children(CuratorCache cache, String parent, BiFunction<String, NodeRecord, T> make) {
        String prefix = parent + "/";
        return cache.stream()
                .filter(child -> child.getPath().startsWith(prefix))
                .flatMap(child ->
                        read(child, fields -> make.apply(child.getPath().substring(prefix.length()), fields)).stream());
    }

    private <T> Optional<T> read(ChildData child, Function<NodeRecord, T> make) {
        try {
            return Optional.of(make.apply(NodeRecord.parse(child.getData())));
        } catch (TributaryException e) {
            Long changed = child.getStat().getMzxid();
            if (!changed.equals(unreadable.put(child.getPath(), changed))) {
                LOG.warn("unreadable zookeeper node left out: node={} error=\"{}\"", child.getPath(), e.line());
            }
            return Optional.empty();
        }
    }

    @Override
    public Optional<Leader> leader() {
        return leader.get(ZooKeeperTree.LEADER)
                .flatMap(child -> read(child, NodeRecord::leader))
                .flatMap(found -> found);
    }

    Optional<Coordinator.Move> move() {
        return move.get(ZooKeeperTree.MOVE).flatMap(child -> read(child, NodeRecord::move));
    }

    @Override
    public void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void unsubscribe(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        members.close();
        claims.close();
        leader.close();
        move.close();
    }
}
