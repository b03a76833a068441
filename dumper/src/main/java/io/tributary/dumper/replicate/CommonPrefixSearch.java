package io.tributary.dumper.replicate;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import io.tributary.dumper.FileTail;
import io.tributary.dumper.replicate.proto.ReplicateWire;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds up to where a follower's files are the leader's, by questions: whether the newest file that both have begins alike; if it does not,
 * up to which of its cuts; if to none, the file before. What the follower has behind that place it may throw away where the two
 * went on under different leaders: the newest leader, who was elected since, has all that was ever acknowledged. For one thread.
 */
final class Agreement {
    private final List<BinlogFile> own;
    private final FileTail tail;
    private final List<ReplicateWire.File> theirs;
    private final BinlogPlace acknowledged;
    private int at; // index in own of the file that is compared; -1: they have none in common
    private long asked; // how much of it
    private List<CutList.CutMark> cuts; // of that file; null while all of it is asked for
    private int low; // index of the newest cut that is known to be the same
    private int high; // index of the oldest one that is known to differ
    private int step;
    private BinlogPlace common;
    private boolean isSettled;

    /**
     * @param own what the follower has
     * @param theirs the leader's files, oldest first
     * @param acknowledged what the follower knows to be acknowledged
     * @throws TributaryException FOLLOWER_BEHIND, FOLLOWER_DIVERGED
     */
    Agreement(CopiedFiles own, List<ReplicateWire.File> theirs, BinlogPlace acknowledged) {
        this.own = own.files().map(files -> files.written()).orElse(List.of());
        this.tail = own.tail();
        this.theirs = theirs;
        this.acknowledged = acknowledged;
        if (this.own.isEmpty()) {
            settle(BinlogPlace.NONE);
            return;
        }
        int newest = theirs.get(theirs.size() - 1).getNumber();
        int oldest = theirs.get(0).getNumber();
        if (ownEnd().file() < oldest) {
            throw new TributaryException(
                    ErrorCode.FOLLOWER_BEHIND,
                    "expected the leader to have file " + ownEnd().file()
                            + " still, where this follower ends; its oldest is " + oldest);
        }
        at = this.own.size() - 1;
        while (at >= 0 && this.own.get(at).number() > newest) {
            at--;
        }
        compareWhole();
    }

    private BinlogPlace ownEnd() {
        BinlogFile last = own.get(own.size() - 1);
        return new BinlogPlace(last.number(), last.written());
    }

    private Optional<ReplicateWire.File> their(int number) {
        return theirs.stream().filter(file -> file.getNumber() == number).findFirst();
    }

    /** Asks for all that both have of a file; with none left they have nothing in common. */
    private void compareWhole() {
        Optional<ReplicateWire.File> their =
                at < 0 ? Optional.empty() : their(own.get(at).number());
        cuts = null;
        if (their.isEmpty()) {
            found(BinlogPlace.NONE);
        } else {
            asked = Math.min(own.get(at).written(), their.get().getSize());
        }
    }

    /** What to ask next; empty once it is settled. */
    Optional<ReplicateWire.Question> question() {
        if (isSettled) {
            return Optional.empty();
        }
        boolean wantsEpoch = common != null;
        BinlogPlace place = wantsEpoch ? behind() : new BinlogPlace(own.get(at).number(), asked);
        return Optional.of(ReplicateWire.Question.newBuilder()
                .setPlace(FollowerSession.wire(place))
                .setWantsEpoch(wantsEpoch)
                .build());
    }

    /** Where the two go apart: without anything in common, at the beginning of the oldest file of both. */
    private BinlogPlace behind() {
        return common.file() > 0
                ? common
                : new BinlogPlace(Math.max(own.get(0).number(), theirs.get(0).getNumber()), 0);
    }

    /** The leader's answer to it. */
    void answer(ReplicateWire.Answer answer) throws IOException {
        if (common != null) {
            judge(answer.hasEpochBehind() ? OptionalLong.of(answer.getEpochBehind()) : OptionalLong.empty());
            return;
        }
        boolean isSame = answer.hasDigest() && answer.getDigest() == digest(own.get(at), asked);
        if (isSame && cuts == null) {
            found(new BinlogPlace(own.get(at).number(), asked));
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

    /** Goes back from the end in growing steps, for what differs is most often short; then halves. */
    private void compareNext() {
        if (high - low > 1) {
            int middle = low < 0 ? Math.max(0, high - step) : (low + high) >>> 1;
            step *= 4;
            asked = cuts.get(middle).end();
        } else if (low >= 0) {
            found(new BinlogPlace(own.get(at).number(), cuts.get(low).end()));
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

    private void found(BinlogPlace place) {
        common = place;
        requireSameSizesBefore();
        boolean goesOn = ownEnd().compareTo(place) > 0;
        if (!goesOn || hasNoTransaction()) {
            settle(place);
        } else if (acknowledged.compareTo(place) > 0) {
            throw diverged("it was acknowledged up to " + acknowledged);
        }
    }

    private boolean hasNoTransaction() {
        return tail.gno() == 0 && acknowledged.equals(BinlogPlace.NONE);
    }

    private void requireSameSizesBefore() {
        for (BinlogFile file : own) {
            Optional<ReplicateWire.File> their = their(file.number());
            boolean isBefore = file.number() < common.file();
            if (isBefore && their.isPresent() && their.get().getSize() != file.written()) {
                throw diverged(file + " has " + file.written() + " bytes here, "
                        + their.get().getSize() + " there");
            }
        }
    }

    private void judge(OptionalLong theirEpoch) throws IOException {
        BinlogPlace place = behind();
        long ours = CutList.epochBehind(own, place.file(), place.offset()).orElse(0);
        if (theirEpoch.isEmpty()) {
            throw diverged("the leader has nothing behind it, this follower goes on to " + ownEnd() + " under epoch "
                    + CutEpoch.text(ours));
        }
        if (CutEpoch.leader(theirEpoch.getAsLong()) == CutEpoch.leader(ours)) {
            throw diverged("both go on under one epoch, the leader under " + CutEpoch.text(theirEpoch.getAsLong())
                    + ", this follower under " + CutEpoch.text(ours));
        }
        settle(common);
    }

    private TributaryException diverged(String why) {
        return new TributaryException(
                ErrorCode.FOLLOWER_DIVERGED,
                "this follower's files are the leader's up to " + common + " only, and end at " + ownEnd() + "; " + why
                        + "; nothing is overwritten");
    }

    private void settle(BinlogPlace place) {
        common = place;
        isSettled = true;
    }

    /** Up to where both are the same; {@link BinlogPlace#NONE} for nothing. Only when there is no question left. */
    BinlogPlace common() {
        return common;
    }

    /** Whether the follower has to throw away what it has behind that. */
    boolean mustCutOff() {
        return !own.isEmpty() && ownEnd().compareTo(common) > 0;
    }
}
