package io.tributary.binlog.replicate;

import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the common prefix of a follower's and the leader's files (Raft: log matching). It asks the leader whether the newest file that both
 * have is the same; if not, up to which of its cuts it is the same; if up to none, it asks for the file before. The follower may discard
 * what follows the common prefix if the two sides continued under different leaders: the newest leader was elected later and has
 * everything that was ever acknowledged. For one thread.
 */
final class CommonPrefixSearch {
    private final List<BinlogFile> own;
    private final FileVerifier tail;
    private final List<ReplicateWire.File> theirs;
    private final FileOffset acknowledged;
    private int at; // index in own of the file that is compared; -1: no common file
    private long asked; // how many bytes of it are compared
    private List<CutList.CutMark> cuts; // cuts of that file; null while all of it is compared
    private int low; // index of the newest cut that is known to be the same
    private int high; // index of the oldest one that is known to differ
    private int step;
    private FileOffset common;
    private boolean isComplete;

    /**
     * @param own the follower's files
     * @param theirs the leader's files, oldest first
     * @param acknowledged up to where the follower knows the binlog to be acknowledged
     * @throws TributaryException FOLLOWER_BEHIND, FOLLOWER_DIVERGED
     */
    CommonPrefixSearch(CopiedFiles own, List<ReplicateWire.File> theirs, FileOffset acknowledged) {
        this.own = own.files().map(files -> files.written()).orElse(List.of());
        this.tail = own.tail();
        this.theirs = theirs;
        this.acknowledged = acknowledged;
        if (this.own.isEmpty()) {
            complete(FileOffset.NONE);
            return;
        }
        int newest = theirs.get(theirs.size() - 1).getNumber();
        int oldest = theirs.get(0).getNumber();
        if (ownEnd().file() < oldest) {
            throw new TributaryException(
                    ErrorCode.FOLLOWER_BEHIND,
                    "expected the leader to have file " + ownEnd().file() + ", at which this follower ends, found file "
                            + oldest + " as its oldest");
        }
        at = this.own.size() - 1;
        while (at >= 0 && this.own.get(at).number() > newest) {
            at--;
        }
        compareWhole();
    }

    private FileOffset ownEnd() {
        BinlogFile last = own.get(own.size() - 1);
        return new FileOffset(last.number(), last.written());
    }

    private Optional<ReplicateWire.File> their(int number) {
        return theirs.stream().filter(file -> file.getNumber() == number).findFirst();
    }

    /** Compares all bytes that both have of a file; without a further file nothing is common. */
    private void compareWhole() {
        Optional<ReplicateWire.File> their =
                at < 0 ? Optional.empty() : their(own.get(at).number());
        cuts = null;
        if (their.isEmpty()) {
            found(FileOffset.NONE);
        } else {
            asked = Math.min(own.get(at).written(), their.get().getSize());
        }
    }

    /** The next question to the leader; empty when the search is complete. */
    Optional<ReplicateWire.Question> question() {
        if (isComplete) {
            return Optional.empty();
        }
        boolean wantsEpoch = common != null;
        FileOffset place =
                wantsEpoch ? divergence() : new FileOffset(own.get(at).number(), asked);
        return Optional.of(ReplicateWire.Question.newBuilder()
                .setPlace(FollowerSession.wire(place))
                .setWantsEpoch(wantsEpoch)
                .build());
    }

    /** The place at which the two sides differ: the end of the common prefix, or the beginning of the oldest file that both have. */
    private FileOffset divergence() {
        return common.file() > 0
                ? common
                : new FileOffset(Math.max(own.get(0).number(), theirs.get(0).getNumber()), 0);
    }

    /** Processes the leader's answer to the last question. */
    void answer(ReplicateWire.Answer answer) throws IOException {
        if (common != null) {
            checkEpochs(answer.hasEpochBehind() ? OptionalLong.of(answer.getEpochBehind()) : OptionalLong.empty());
            return;
        }
        boolean isSame = answer.hasDigest() && answer.getDigest() == digest(own.get(at), asked);
        if (isSame && cuts == null) {
            found(new FileOffset(own.get(at).number(), asked));
        } else if (cuts == null) {
            long limit = asked;
            cuts = CutList.of(own.get(at)).stream()
                    .filter(cut -> cut.end() <= limit)
                    .toList();
            low = -1;
            high = cuts.size();
            step = 1;
            compareNext();
        } else {
            int middle = index(asked);
            low = isSame ? middle : low;
            high = isSame ? high : middle;
            compareNext();
        }
    }

    private int index(long end) {
        int index = 0;
        while (cuts.get(index).end() != end) {
            index++;
        }
        return index;
    }

    /** Goes back from the end in growing steps, because the part that differs is mostly short; then bisects. */
    private void compareNext() {
        if (high - low > 1) {
            int middle = low < 0 ? Math.max(0, high - step) : (low + high) >>> 1;
            step *= 4;
            asked = cuts.get(middle).end();
        } else if (low >= 0) {
            found(new FileOffset(own.get(at).number(), cuts.get(low).end()));
        } else {
            at--;
            compareWhole();
        }
    }

    private static long digest(BinlogFile file, long length) throws IOException {
        try (FileChannel channel = file.open()) {
            return FileDigest.of(channel, length);
        }
    }

    private void found(FileOffset place) {
        common = place;
        requireSameSizesBefore();
        boolean continues = ownEnd().compareTo(place) > 0;
        if (!continues || hasNoTransaction()) {
            complete(place);
        } else if (acknowledged.compareTo(place) > 0) {
            throw diverged("the binlog is acknowledged up to " + acknowledged);
        }
    }

    private boolean hasNoTransaction() {
        return tail.gno() == 0 && acknowledged.equals(FileOffset.NONE);
    }

    private void requireSameSizesBefore() {
        for (BinlogFile file : own) {
            Optional<ReplicateWire.File> their = their(file.number());
            boolean isBefore = file.number() < common.file();
            if (isBefore && their.isPresent() && their.get().getSize() != file.written()) {
                throw diverged(file + " has " + file.written() + " bytes on the follower and "
                        + their.get().getSize() + " on the leader");
            }
        }
    }

    private void checkEpochs(OptionalLong theirEpoch) throws IOException {
        FileOffset place = divergence();
        long ours = CutList.epochAfter(own, place.file(), place.offset()).orElse(0);
        if (theirEpoch.isEmpty()) {
            throw diverged("the leader has nothing after it, this follower has more up to " + ownEnd() + " of epoch "
                    + CutEpoch.text(ours));
        }
        if (CutEpoch.leader(theirEpoch.getAsLong()) == CutEpoch.leader(ours)) {
            throw diverged("both sides have more under one epoch, the leader under "
                    + CutEpoch.text(theirEpoch.getAsLong()) + ", this follower under " + CutEpoch.text(ours));
        }
        complete(common);
    }

    private TributaryException diverged(String why) {
        return new TributaryException(
                ErrorCode.FOLLOWER_DIVERGED,
                "expected this follower's files to be the leader's up to their end " + ownEnd()
                        + ", found them equal only up to " + common + "; " + why + "; nothing is overwritten");
    }

    private void complete(FileOffset place) {
        common = place;
        isComplete = true;
    }

    /** The end of the common prefix; {@link FileOffset#NONE} for nothing. Valid only when no question is left. */
    FileOffset common() {
        return common;
    }

    /** Whether the follower must discard bytes after the common prefix. */
    boolean mustCutOff() {
        return !own.isEmpty() && ownEnd().compareTo(common) > 0;
    }
}
