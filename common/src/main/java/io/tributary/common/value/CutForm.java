package io.tributary.common.value;

import com.google.protobuf.ByteString;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut.OpenBranch;

/** Converts open branches of a cut to the form of cut.proto and back. */
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
}
