package io.tributary.common.value;

import com.google.protobuf.ByteString;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Cut.LeftOutGtids;
import io.tributary.common.value.Cut.ShardCut;
import java.util.List;

/** Converts one shard's part of a cut to the form of cut.proto and back, whole or as a change. */
final class CutShardForm {
    /** The base of which a whole one is a change. */
    static final ShardCut NONE = ShardCut.unread("", "", GtidSet.EMPTY, GtidSet.EMPTY);

    private CutShardForm() {}

    static CutWire.Shard whole(int index, ShardCut shard) {
        return change(index, NONE, shard);
    }

    static CutWire.Shard change(int index, ShardCut before, ShardCut after) {
        CutWire.Shard.Builder wire = CutWire.Shard.newBuilder().setIndex(index);
        if (!after.name().equals(before.name())) {
            wire.setName(after.name());
        }
        if (!after.serverUuid().equals(before.serverUuid())) {
            wire.setServerUuid(after.serverUuid());
        }
        if (!after.resume().equals(before.resume())) {
            wire.setResume(change(before.resume(), after.resume()));
        }
        if (!after.frontier().equals(before.frontier())) {
            wire.setFrontier(change(before.frontier(), after.frontier()));
        }
        if (!after.file().equals(before.file())) {
            wire.setFile(after.file());
        }
        if (after.offset() != before.offset()) {
            wire.setOffset(after.offset());
        }
        if (after.round() != before.round()) {
            wire.setRound(after.round());
        }
        if (after.key() != before.key()) {
            wire.setKey(after.key());
        }
        if (!after.leftOut().equals(before.leftOut())) {
            wire.setLeftOut(change(before.leftOut(), after.leftOut()));
        }
        if (!after.leftOutIfRefused().equals(before.leftOutIfRefused())) {
            wire.setLeftOutIfRefused(change(before.leftOutIfRefused(), after.leftOutIfRefused()));
        }
        if (!after.corrections().equals(before.corrections())) {
            wire.setCorrections(corrections(after.corrections()));
        }
        return wire.build();
    }

    private static CutWire.Corrections corrections(Corrections corrections) {
        CutWire.Corrections.Builder wire = CutWire.Corrections.newBuilder()
                .setGtids(ByteString.copyFrom(corrections.gtids().encode()));
        corrections
                .tables()
                .forEach(table -> wire.addTables(
                        CutWire.Table.newBuilder().setSchema(table.schema()).setTable(table.table())));
        return wire.build();
    }

    private static Corrections corrections(CutWire.Corrections wire) {
        List<TableName> tables = wire.getTablesList().stream()
                .map(table -> new TableName(table.getSchema(), table.getTable()))
                .toList();
        return new Corrections(GtidSet.decode(wire.getGtids().toByteArray()), tables);
    }

    private static CutWire.GtidChange change(GtidSet before, GtidSet after) {
        CutWire.GtidChange.Builder wire = CutWire.GtidChange.newBuilder();
        GtidSet.Builder advanced = before.toBuilder();
        List<Sid> sids = before.sids();
        for (int i = 0; i < sids.size(); i++) {
            long last = before.last(sids.get(i));
            long next = after.last(sids.get(i));
            if (next > last) {
                advanced.addRange(sids.get(i), last + 1, next);
                wire.addAdvanced(i).addAdvanced(next - last);
            }
        }
        if (advanced.build().equals(after)) {
            return wire.build();
        }
        wire.clearAdvanced();
        if (!before.isEmpty() && after.containsAll(before)) {
            return wire.setAdded(ByteString.copyFrom(after.minus(before).encode()))
                    .build();
        }
        return wire.setSet(ByteString.copyFrom(after.encode())).build();
    }

    /** @throws IllegalArgumentException if the change does not fit */
    static ShardCut apply(ShardCut before, CutWire.Shard wire) {
        ResumePosition position = new ResumePosition(
                wire.hasResume() ? apply(before.resume(), wire.getResume()) : before.resume(),
                wire.hasFile() ? wire.getFile() : before.file(),
                wire.hasOffset() ? wire.getOffset() : before.offset());
        LeftOutGtids leftOut = new LeftOutGtids(
                wire.hasLeftOut() ? apply(before.leftOut(), wire.getLeftOut()) : before.leftOut(),
                wire.hasLeftOutIfRefused()
                        ? apply(before.leftOutIfRefused(), wire.getLeftOutIfRefused())
                        : before.leftOutIfRefused());
        return new ShardCut(
                wire.hasName() ? wire.getName() : before.name(),
                wire.hasServerUuid() ? wire.getServerUuid() : before.serverUuid(),
                position,
                wire.hasFrontier() ? apply(before.frontier(), wire.getFrontier()) : before.frontier(),
                wire.hasRound() ? wire.getRound() : before.round(),
                wire.hasKey() ? wire.getKey() : before.key(),
                leftOut,
                wire.hasCorrections() ? corrections(wire.getCorrections()) : before.corrections());
    }

    private static GtidSet apply(GtidSet before, CutWire.GtidChange wire) {
        if (wire.hasSet()) {
            return GtidSet.decode(wire.getSet().toByteArray());
        }
        if (wire.hasAdded()) {
            return before.union(GtidSet.decode(wire.getAdded().toByteArray()));
        }
        List<Sid> sids = before.sids();
        GtidSet.Builder after = before.toBuilder();
        for (int i = 0; i < wire.getAdvancedCount() - 1; i += 2) {
            long source = wire.getAdvanced(i);
            if (source < 0 || source >= sids.size()) {
                throw new IllegalArgumentException(
                        "expected one of " + sids.size() + " sources of GTIDs, found source " + source);
            }
            Sid sid = sids.get((int) source);
            long last = before.last(sid);
            after.addRange(sid, last + 1, last + wire.getAdvanced(i + 1));
        }
        return after.build();
    }
}
