package io.tributary.node.cluster;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.Members;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;

/** What ZooKeeper told last of members, leader and claims; kept while it cannot be reached. */
final class ZooKeeperView implements Members, Leadership, AutoCloseable {
    private final CuratorCache members;
    private final CuratorCache claims;
    private final CuratorCache leader;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    ZooKeeperView(ZooKeeperTree tree) {
        this.members = CuratorCache.build(tree.client(), ZooKeeperTree.MEMBERS);
        this.claims = CuratorCache.build(tree.client(), ZooKeeperTree.CLAIMS);
        this.leader = CuratorCache.build(tree.client(), ZooKeeperTree.LEADER, CuratorCache.Options.SINGLE_NODE_CACHE);
        leader.listenable().addListener((type, before, after) -> listeners.forEach(Runnable::run));
        members.start();
        claims.start();
        leader.start();
    }

    @Override
    public List<Member> list() {
        return children(members, ZooKeeperTree.MEMBERS, (name, fields) -> fields.member(name))
                .sorted(Comparator.comparing(Member::id))
                .toList();
    }

    List<Claim> claims() {
        return children(claims, ZooKeeperTree.CLAIMS, (name, fields) -> {
                    String node = fields.text("node").orElse("");
                    return new Claim(name, node, fields.number("epoch"));
                })
                .sorted(Comparator.comparing(Claim::what))
                .toList();
    }

    private static <T> Stream<T> children(CuratorCache cache, String parent, BiFunction<String, Fields, T> make) {
        String prefix = parent + "/";
        return cache.stream()
                .filter(child -> child.getPath().startsWith(prefix))
                .map(child -> make.apply(child.getPath().substring(prefix.length()), Fields.parse(child.getData())));
    }

    @Override
    public Optional<Leader> leader() {
        return leader.get(ZooKeeperTree.LEADER)
                .map(ChildData::getData)
                .flatMap(bytes -> Fields.parse(bytes).leader());
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
    }
}
