package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Choice of the Task from which a leader receives the stream. */
class TaskChoiceTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final List<ClusterMember> members = new ArrayList<>(
            Stream.of("t1", "t2", "t3").map(TaskChoiceTest::task).toList());
    private final List<Claim> claims = new ArrayList<>();
    private long nanos;
    private final TaskChoice choice = new TaskChoice(() -> List.copyOf(members), () -> claims, LEASE, () -> nanos);

    private static ClusterMember task(String id) {
        return new ClusterMember(
                id,
                Set.of(MemberRole.TASK),
                new ClusterMember.Addresses(
                        Optional.of(address(id)), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                0);
    }

    private static HostPort address(String id) {
        return new HostPort("host-" + id, 1);
    }

    private static TributaryException ended(ErrorCode code) {
        return new TributaryException(code, "the stream ended");
    }

    @Test
    void usesTheTaskThatRanThePipelineLast() {
        claims.add(new Claim(TaskChoice.PIPELINE, "t2", 1));
        assertEquals(address("t2"), choice.next());
    }

    @Test
    void keepsATaskThatRequestsANewStream() {
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_RENEWED));
        assertEquals(address("t1"), choice.next());
    }

    @Test
    void usesTheNextTaskAfterABrokenStream() {
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_BROKEN));
        choice.failed(ended(ErrorCode.STREAM_RENEWED)); // of the same stream
        assertEquals(address("t2"), choice.next());
        assertEquals(address("t2"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_BROKEN));
        members.remove(2);
        assertEquals(address("t1"), choice.next());
    }

    @Test
    void usesTheNextTaskAfterARefusalAndRetriesTheOnlyOne() {
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_REFUSED));
        assertEquals(address("t2"), choice.next());
        members.retainAll(List.of(task("t1")));
        choice.failed(ended(ErrorCode.STREAM_REFUSED));
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_REFUSED));
        assertEquals(address("t1"), choice.next());
        assertEquals(Severity.RETRY, ErrorCode.STREAM_REFUSED.severity(), "the leader continues");
    }

    private Optional<ErrorCode> lost(Duration later, long chunks) {
        nanos += later.toNanos();
        return choice.lost(chunks).map(TributaryException::code);
    }

    @Test
    void aTaskThatIsNoMemberAndSilentForALeaseIsLost() {
        assertEquals(address("t1"), choice.next());
        assertEquals(Optional.empty(), lost(Duration.ZERO, 0));
        assertEquals(Optional.empty(), lost(LEASE, 0), "a member may be silent: a shard is unreachable");
        ClusterMember gone = members.remove(0);
        assertEquals(Optional.empty(), lost(Duration.ZERO, 7), "it is no member any more, but the stream continues");
        assertEquals(Optional.empty(), lost(LEASE.minusNanos(1), 7));
        assertEquals(Optional.of(ErrorCode.STREAM_BROKEN), lost(Duration.ofNanos(1), 7));
        members.add(0, gone);
        assertEquals(Optional.empty(), lost(Duration.ZERO, 7));
        members.clear();
        assertEquals(Optional.empty(), lost(Duration.ZERO, 7), "there is no other");
    }

    private void fails(Duration later, TributaryException cause) {
        nanos += later.toNanos();
        choice.next();
        choice.failed(cause);
    }

    @Test
    void reportsForHowLongNoTaskWasReached() {
        Duration second = Duration.ofSeconds(1);
        TributaryException network =
                new TributaryException(ErrorCode.STREAM_BROKEN, "no route to host", new IOException("no route"));
        fails(second, network);
        assertEquals(0, choice.unreachedNanos());
        fails(second, network);
        fails(second, network);
        assertEquals(second.multipliedBy(2).toNanos(), choice.unreachedNanos());
        nanos += second.toNanos();
        assertEquals(second.multipliedBy(2).toNanos(), choice.unreachedNanos(), "the next attempt may be answered");
        fails(second, ended(ErrorCode.STREAM_BROKEN));
        assertEquals(0, choice.unreachedNanos(), "a Task answered with a reason");

        fails(second, network);
        fails(second, network);
        assertEquals(Optional.empty(), choice.lost(1));
        assertEquals(0, choice.unreachedNanos(), "data has arrived");

        fails(second, network);
        fails(second, network);
        members.clear();
        assertThrows(TributaryException.class, choice::next);
        assertEquals(0, choice.unreachedNanos(), "there is no Task to reach");
    }

    @Test
    void theNextTaskGetsTimeToSendData() {
        assertEquals(address("t1"), choice.next());
        assertEquals(Optional.empty(), lost(Duration.ZERO, 0));
        members.remove(0);
        assertEquals(Optional.of(ErrorCode.STREAM_BROKEN), lost(LEASE, 0));
        assertEquals(address("t2"), choice.next());
        members.remove(0);
        assertEquals(Optional.empty(), lost(Duration.ZERO, 0));
    }

    @Test
    void failsIfThereIsNoTask() {
        members.clear();
        assertEquals(
                ErrorCode.STREAM_BROKEN,
                assertThrows(TributaryException.class, choice::next).code());
    }
}
