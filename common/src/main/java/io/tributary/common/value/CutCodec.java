package io.tributary.common.value;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Cut.ShardCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Encodes cuts as bytes: a full cut is complete, a delta contains what changed since the cut before it (cut.proto; formats.md, "Cut
 * event"). Bytes that are not a cut, or a delta that does not follow the cut it is applied to, throw
 * {@link TributaryException} {@link ErrorCode#CUT_UNUSABLE}, never another exception.
 */
public final class CutCodec {
    private CutCodec() {}

    /** Encodes the whole cut. */
    public static byte[] encodeFull(Cut cut) {
        CutWire.Cut.Builder wire = head(CutWire.Cut.Kind.FULL, cut);
        for (int i = 0; i < cut.shards().size(); i++) {
            wire.addShards(CutShardForm.whole(i, cut.shards().get(i)));
        }
        cut.open().forEach(branch -> wire.addOpen(CutForm.branch(branch)));
        if (!cut.schema().equals(SchemaState.NONE)) {
            encodeSchema(wire, SchemaState.NONE, cut.schema());
        }
        return wire.build().toByteArray();
    }

    /**
     * Encodes what changed from one cut to a later one of the same shards; some tens of bytes for a small change.
     *
     * @throws IllegalArgumentException if the two have different shards: a full cut is needed then
     */
    public static byte[] encodeDelta(Cut previous, Cut next) {
        if (!previous.hasSameShards(next)) {
            throw new IllegalArgumentException(
                    "expected cuts of the same shards for a delta, found " + names(previous) + " and " + names(next));
        }
        CutWire.Cut.Builder wire = head(CutWire.Cut.Kind.DELTA, next).setPrevious(previous.number());
        for (int i = 0; i < next.shards().size(); i++) {
            ShardCut before = previous.shards().get(i);
            ShardCut after = next.shards().get(i);
            if (!before.equals(after)) {
                wire.addShards(CutShardForm.change(i, before, after));
            }
        }
        next.open().stream()
                .filter(branch -> !previous.open().contains(branch))
                .forEach(branch -> wire.addOpen(CutForm.branch(branch)));
        previous.open().stream()
                .filter(branch -> !next.open().contains(branch))
                .forEach(branch -> wire.addClosed(CutForm.branch(branch)));
        if (!previous.schema().equals(next.schema())) {
            encodeSchema(wire, previous.schema(), next.schema());
        }
        return wire.build().toByteArray();
    }

    private static void encodeSchema(CutWire.Cut.Builder wire, SchemaState previous, SchemaState next) {
        if (next.isOfEarlierVersion()) {
            wire.addDdls(CutWire.Ddl.getDefaultInstance()); // that there were some, not which
        } else {
            wire.setSchema(SchemaForm.change(previous, next));
        }
    }

    private static List<String> names(Cut cut) {
        return cut.shards().stream().map(ShardCut::name).toList();
    }

    private static CutWire.Cut.Builder head(CutWire.Cut.Kind kind, Cut cut) {
        return CutWire.Cut.newBuilder()
                .setKind(kind)
                .setEpoch(cut.epoch())
                .setNumber(cut.number())
                .setTransactions(cut.transactions())
                .setTableIds(cut.tableIds())
                .setTso(cut.tso())
                .setSchemaNumber(cut.schemaNumber())
                .setWhole(true);
    }

    /**
     * Whether the bytes begin like a full cut and not like a delta; only the beginning is read.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE if they begin like neither
     */
    public static boolean isFull(ByteBuffer view) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(view.duplicate());
            if (in.readTag() == CutWire.Cut.KIND_FIELD_NUMBER << 3) {
                int kind = in.readEnum();
                if (kind == CutWire.Cut.Kind.FULL_VALUE || kind == CutWire.Cut.Kind.DELTA_VALUE) {
                    return kind == CutWire.Cut.Kind.FULL_VALUE;
                }
            }
        } catch (IOException e) {
            throw unusable("expected a cut, found " + view.remaining() + " bytes that are not a cut", e);
        }
        throw unusable(
                "expected a full cut or a delta, found " + view.remaining() + " bytes that begin like neither", null);
    }

    /**
     * Decodes a full cut or a delta.
     *
     * @param previous the cut before; not used for a full cut, which may be the first one
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Cut decode(Cut previous, ByteBuffer view) {
        return isFull(view) ? decodeFull(view) : apply(previous, view);
    }

    /**
     * The epoch of a full cut or a delta.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static long epoch(ByteBuffer view) {
        return parse(view, isFull(view) ? CutWire.Cut.Kind.FULL : CutWire.Cut.Kind.DELTA)
                .getEpoch();
    }

    /**
     * The number of the last change of the journal before a full cut or a delta; 0 = none.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static long schemaNumber(ByteBuffer view) {
        return parse(view, isFull(view) ? CutWire.Cut.Kind.FULL : CutWire.Cut.Kind.DELTA)
                .getSchemaNumber();
    }

    /**
     * Reads what {@link #encodeFull(Cut)} wrote.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Cut decodeFull(ByteBuffer view) {
        CutWire.Cut wire = parse(view, CutWire.Cut.Kind.FULL);
        try {
            List<ShardCut> shards = new ArrayList<>(wire.getShardsCount());
            for (CutWire.Shard shard : wire.getShardsList()) {
                if (shard.getIndex() != shards.size()) {
                    throw new IllegalArgumentException(
                            "expected shard " + shards.size() + ", found " + shard.getIndex());
                }
                shards.add(CutShardForm.apply(CutShardForm.NONE, shard));
            }
            return cut(wire, shards, branches(wire.getOpenList()), schema(wire, SchemaState.NONE));
        } catch (IllegalArgumentException e) { // thrown by the checks of the values
            throw unusable("cut " + wire.getNumber() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Applies what {@link #encodeDelta(Cut, Cut)} wrote to the cut from which it was made.
     *
     * @param delta from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Cut apply(Cut previous, ByteBuffer delta) {
        CutWire.Cut wire = parse(delta, CutWire.Cut.Kind.DELTA);
        if (wire.getPrevious() != previous.number()) {
            throw unusable(
                    "cut " + wire.getNumber() + ": expected to follow cut " + previous.number() + ", follows "
                            + wire.getPrevious(),
                    null);
        }
        try {
            List<ShardCut> shards = new ArrayList<>(previous.shards());
            for (CutWire.Shard shard : wire.getShardsList()) {
                if (shard.getIndex() < 0 || shard.getIndex() >= shards.size()) {
                    throw new IllegalArgumentException("expected one of " + shards.size() + " shards, found shard "
                            + Integer.toUnsignedString(shard.getIndex()));
                }
                shards.set(shard.getIndex(), CutShardForm.apply(shards.get(shard.getIndex()), shard));
            }
            Set<OpenBranch> open = new HashSet<>(previous.open());
            open.removeAll(branches(wire.getClosedList()));
            open.addAll(branches(wire.getOpenList()));
            return cut(wire, shards, open, schema(wire, previous.schema()));
        } catch (IllegalArgumentException e) { // thrown by the checks of the values
            throw unusable("cut " + wire.getNumber() + ": " + e.getMessage(), e);
        }
    }

    private static CutWire.Cut parse(ByteBuffer view, CutWire.Cut.Kind kind) {
        CutWire.Cut wire;
        try {
            wire = CutWire.Cut.parseFrom(view.duplicate());
        } catch (InvalidProtocolBufferException e) {
            throw unusable(
                    "expected a cut, found " + view.remaining() + " bytes that are not a cut: " + e.getMessage(), e);
        }
        if (!wire.getWhole() || wire.getKind() != kind) {
            throw unusable(
                    "expected a whole cut of kind " + kind + ", found " + view.remaining() + " bytes of kind "
                            + wire.getKind() + (wire.getWhole() ? "" : " that are truncated"),
                    null);
        }
        return wire;
    }

    private static Cut cut(CutWire.Cut wire, List<ShardCut> shards, Set<OpenBranch> open, SchemaState schema) {
        return new Cut(
                wire.getEpoch(),
                wire.getNumber(),
                new Cut.Sources(shards, open),
                new Cut.OutputPoint(wire.getTransactions(), wire.getTableIds(), wire.getTso()),
                new Cut.SchemaPoint(schema, wire.getSchemaNumber()));
    }

    private static Set<OpenBranch> branches(List<CutWire.Branch> wire) {
        Set<OpenBranch> branches = new HashSet<>();
        wire.forEach(branch -> branches.add(CutForm.branch(branch)));
        return branches;
    }

    private static SchemaState schema(CutWire.Cut wire, SchemaState unchanged) {
        if (wire.getDdlsCount() > 0) {
            return SchemaState.OF_EARLIER_VERSION;
        }
        if (wire.getDdlsChanged()) {
            return SchemaState.NONE;
        }
        return wire.hasSchema() ? SchemaForm.apply(unchanged, wire.getSchema()) : unchanged;
    }

    private static TributaryException unusable(String message, Throwable cause) {
        return new TributaryException(ErrorCode.CUT_UNUSABLE, message, cause);
    }
}
