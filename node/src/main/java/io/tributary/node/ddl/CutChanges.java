package io.tributary.node.ddl;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Member;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** The schema changes in progress in a cut, for a stopped node. */
public final class CutChanges {
    private final Cut cut;

    private CutChanges(Cut cut) {
        this.cut = cut;
    }

    /** Statements in the order in which they began, then the questions that held shards. */
    public static List<SchemaItem> of(Cut cut) {
        CutChanges changes = new CutChanges(cut);
        List<SchemaItem> items = new ArrayList<>();
        cut.schema().pending().forEach(pending -> items.add(changes.item(pending)));
        cut.schema().questions().forEach(question -> items.add(changes.item(question)));
        return items;
    }

    private SchemaItem item(PendingDdl pending) {
        boolean isWritten = !pending.event().hasRemaining();
        String id = pending.part().id();
        long since = pending.sinceMicros() == 0 ? 0 : Clock.SYSTEM.epochMicros() - pending.sinceMicros();
        return new SchemaItem(
                id,
                new SchemaItem.Subject(
                        pending.part().kind(),
                        pending.part().targets().isEmpty()
                                ? null
                                : pending.part().targets().get(0).logical(),
                        pending.text()),
                new SchemaItem.Progress(
                        isWritten ? SchemaItem.State.PENDING : SchemaItem.State.COUNTING,
                        Math.max(0, TimeUnit.MICROSECONDS.toSeconds(since)),
                        null,
                        "the members that lack it",
                        List.of("tributary ddl done " + id)),
                SchemaItem.Stop.NONE,
                new SchemaItem.MemberNames(members(pending, MemberCount::has), members(pending, MemberCount::lacks)));
    }

    private List<String> members(PendingDdl pending, ToIntFunction<MemberCount> count) {
        return pending.members().stream()
                .filter(member -> count.applyAsInt(member) > 0)
                .map(member -> new Member(cut.shards().get(member.shard()).name(), member.physical()).toString())
                .toList();
    }

    private SchemaItem item(HeldQuestion held) {
        return new SchemaItem(
                held.id(),
                SchemaItem.Subject.TRANSACTION,
                new SchemaItem.Progress(
                        SchemaItem.State.HELD,
                        0,
                        held.question().code(),
                        held.question().message(),
                        List.of("tributary ddl skip " + held.id())),
                new SchemaItem.Stop(held.shard(), held.gtid().toString(), "", 0),
                SchemaItem.MemberNames.NONE);
    }
}
