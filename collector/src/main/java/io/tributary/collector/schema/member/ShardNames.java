package io.tributary.collector.schema.member;

import io.tributary.common.value.Member;
import java.util.ArrayList;
import java.util.List;

/** The shards' names by index. */
public final class ShardNames {
    private final List<String> names = new ArrayList<>();

    public void put(int shard, String name) {
        while (names.size() <= shard) {
            names.add("");
        }
        names.set(shard, name);
    }

    public void remove(int shard) {
        names.set(shard, "");
    }

    public boolean has(int shard) {
        return shard < names.size() && !names.get(shard).isEmpty();
    }

    public String of(int shard) {
        return names.get(shard);
    }

    /** The indexes of the current shards. */
    public List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        for (int shard = 0; shard < names.size(); shard++) {
            if (!names.get(shard).isEmpty()) {
                all.add(shard);
            }
        }
        return all;
    }

    /** A member as it is shown to operators; only the shard's name if the place is the shard itself. */
    public String text(TableMember place) {
        return place.physical().schema().isEmpty()
                ? of(place.shard())
                : new Member(of(place.shard()), place.physical()).toString();
    }

    public List<String> texts(List<TableMember> places) {
        return places.stream().map(this::text).toList();
    }
}
