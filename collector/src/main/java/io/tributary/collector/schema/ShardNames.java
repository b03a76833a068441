package io.tributary.collector.schema;

import io.tributary.common.value.Member;
import java.util.ArrayList;
import java.util.List;

/** The shards' names by index. */
final class ShardNames {
    private final List<String> names = new ArrayList<>();

    void put(int shard, String name) {
        while (names.size() <= shard) {
            names.add("");
        }
        names.set(shard, name);
    }

    void remove(int shard) {
        names.set(shard, "");
    }

    boolean has(int shard) {
        return shard < names.size() && !names.get(shard).isEmpty();
    }

    String of(int shard) {
        return names.get(shard);
    }

    /** The indexes of the current shards. */
    List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        for (int shard = 0; shard < names.size(); shard++) {
            if (!names.get(shard).isEmpty()) {
                all.add(shard);
            }
        }
        return all;
    }

    /** A member as it is shown to operators; only the shard's name if the place is the shard itself. */
    String text(TableMember place) {
        return place.physical().schema().isEmpty()
                ? of(place.shard())
                : new Member(of(place.shard()), place.physical()).toString();
    }

    List<String> texts(List<TableMember> places) {
        return places.stream().map(this::text).toList();
    }
}
