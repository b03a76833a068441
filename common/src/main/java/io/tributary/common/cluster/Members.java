package io.tributary.common.cluster;

import java.util.List;
import java.util.Optional;

/** The nodes that are there, as far as is known now: one that has just died may still be among them. Any thread. */
public interface Members {
    /** All of them, by id. */
    List<Member> list();

    default Optional<Member> find(String id) {
        return list().stream().filter(member -> member.id().equals(id)).findFirst();
    }

    /** Those with a role, by id. */
    default List<Member> with(MemberRole role) {
        return list().stream().filter(member -> member.is(role)).toList();
    }
}
