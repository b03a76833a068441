package io.tributary.node.check;

import io.tributary.common.value.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The members of one logical table by the texts of their definitions. For one thread. */
final class ComparedTable {
    private final Map<String, List<Member>> members = new LinkedHashMap<>();

    /** @param body text of the definition without the table's name */
    void add(Member member, String body) {
        members.computeIfAbsent(body, text -> new ArrayList<>(1)).add(member);
    }

    /** The members of each text; the text that most members have is first. */
    List<Map.Entry<String, List<Member>>> variants() {
        List<Map.Entry<String, List<Member>>> all = new ArrayList<>(members.entrySet());
        all.sort((a, b) -> b.getValue().size() - a.getValue().size());
        return all;
    }

    /** The number of members on each shard. */
    Map<String, Integer> byShard() {
        Map<String, Integer> counts = new HashMap<>();
        members.values().forEach(each -> each.forEach(member -> counts.merge(member.shard(), 1, Integer::sum)));
        return counts;
    }

    int size() {
        return members.values().stream().mapToInt(List::size).sum();
    }
}
