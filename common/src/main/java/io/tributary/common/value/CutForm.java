package io.tributary.common.value;

import com.google.protobuf.ByteString;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Cut.PendingDdl;

/** Open branches and pending DDL statements of a cut in the form of cut.proto, and back. */
final class CutForm {
    private CutForm() {}

    static CutWire.Branch branch(OpenBranch branch) {
        return CutWire.Branch.newBuilder()
                .setGtrid(ByteString.copyFrom(branch.xid().gtrid()))
                .setBqual(ByteString.copyFrom(branch.xid().bqual()))
                .setFormatId(branch.xid().formatId())
                .setShard(branch.shard())
                .build();
    }

    static OpenBranch branch(CutWire.Branch wire) {
        Xid xid = new Xid(wire.getGtrid().toByteArray(), wire.getBqual().toByteArray(), wire.getFormatId());
        return new OpenBranch(xid, wire.getShard());
    }

    static CutWire.Ddl ddl(PendingDdl pending) {
        CutWire.Ddl.Builder wire = CutWire.Ddl.newBuilder()
                .setDigest(pending.ddl().digest())
                .setChangesColumns(pending.ddl().changesColumns())
                .setEmitted(pending.emitted())
                .addAllArrived(pending.arrived());
        for (TableName table : pending.ddl().tables()) {
            wire.addTables(CutWire.Table.newBuilder().setSchema(table.schema()).setTable(table.table()));
        }
        return wire.build();
    }

    static PendingDdl ddl(CutWire.Ddl wire) {
        Ddl ddl = new Ddl(
                wire.getDigest(),
                wire.getTablesList().stream()
                        .map(table -> new TableName(table.getSchema(), table.getTable()))
                        .toList(),
                wire.getChangesColumns());
        return new PendingDdl(ddl, wire.getEmitted(), wire.getArrivedList());
    }
}
