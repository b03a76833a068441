package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which Task a leader asks. */
class TaskChoiceTest {
    private final List<Member> members = new ArrayList<>(
            Stream.of("t1", "t2", "t3").map(TaskChoiceTest::task).toList());
    private final List<Claim> claims = new ArrayList<>();
    private final TaskChoice choice = new TaskChoice(() -> List.copyOf(members), () -> claims);

    private static Member task(String id) {
        return new Member(
                id,
                Set.of(MemberRole.TASK),
                Optional.of(address(id)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
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
    void asksTheOneThatRanThePipelineLast() {
        claims.add(new Claim(TaskChoice.PIPELINE, "t2", 1));
        assertEquals(address("t2"), choice.next());
    }

    @Test
    void staysWhereTheStreamIsToBeOpenedAnew() {
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_RENEWED));
        assertEquals(address("t1"), choice.next());
    }

    @Test
    void goesOnToTheNextWhereTheStreamBroke() {
        assertEquals(address("t1"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_BROKEN));
        choice.failed(ended(ErrorCode.STREAM_RENEWED)); // said of the same stream
        assertEquals(address("t2"), choice.next());
        assertEquals(address("t2"), choice.next());
        choice.failed(ended(ErrorCode.STREAM_BROKEN));
        members.remove(2);
        assertEquals(address("t1"), choice.next());
    }

    @Test
    void saysSoWhereThereIsNone() {
        members.clear();
        assertEquals(
                ErrorCode.STREAM_BROKEN,
                assertThrows(TributaryException.class, choice::next).code());
    }
}
