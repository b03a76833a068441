package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.pipeline.Stage;
import io.tributary.node.role.Threads.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which stages share a thread. */
class ThreadsTest {
    /** A stage that does nothing. */
    private record Named(String name) implements Stage {
        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static List<List<String>> planned(Policy policy, int cores) {
        Threads threads = new Threads(policy, cores)
                .alone(new Named("extract"))
                .together(List.of(new Named("merge"), new Named("collect")));
        return threads.groups().stream()
                .map(group -> group.stream().map(Stage::name).toList())
                .toList();
    }

    @Test
    void stagesThatFollowEachOtherShareAThreadOnAFewCores() {
        List<List<String>> shared = List.of(List.of("extract"), List.of("merge", "collect"));
        assertEquals(shared, planned(Policy.AUTO, 4));
        assertEquals(shared, planned(Policy.SHARED, 64));
    }

    @Test
    void eachStageHasItsOwnOnMany() {
        List<List<String>> own = List.of(List.of("extract"), List.of("merge"), List.of("collect"));
        assertEquals(own, planned(Policy.AUTO, 5));
        assertEquals(own, planned(Policy.OWN, 1));
    }
}
