package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.pipeline.Stage;
import io.tributary.node.process.ThreadPlan.Policy;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Assignment of stages to threads. */
class ThreadPlanTest {
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
        ThreadPlan threads = new ThreadPlan(policy, cores)
                .alone(new Named("extract"))
                .together(List.of(new Named("merge"), new Named("collect")));
        return threads.groups().stream()
                .map(group -> group.stream().map(Stage::name).toList())
                .toList();
    }

    @Test
    void consecutiveStagesShareAThreadOnFewCores() {
        List<List<String>> shared = List.of(List.of("extract"), List.of("merge", "collect"));
        assertEquals(shared, planned(Policy.AUTO, 4));
        assertEquals(shared, planned(Policy.SHARED, 64));
    }

    @Test
    void eachStageHasItsOwnThreadOnManyCores() {
        List<List<String>> own = List.of(List.of("extract"), List.of("merge"), List.of("collect"));
        assertEquals(own, planned(Policy.AUTO, 5));
        assertEquals(own, planned(Policy.OWN, 1));
    }

    private static List<Integer> spread(Policy policy, int cores, int stages) {
        List<Named> mergers = IntStream.range(0, stages)
                .mapToObj(number -> new Named("merge-" + number))
                .toList();
        List<List<Stage>> groups = new ThreadPlan(policy, cores).spread(mergers).groups();
        assertEquals(mergers, groups.stream().flatMap(List::stream).toList(), "neighbours stay together");
        return groups.stream().map(List::size).toList();
    }

    @Test
    void mergersOfATreeUseNoMoreThreadsThanThereAreCores() {
        assertEquals(List.of(), spread(Policy.AUTO, 2, 0));
        assertEquals(List.of(64), spread(Policy.AUTO, 2, 64));
        assertEquals(List.of(2, 2), spread(Policy.SHARED, 4, 4));
        assertEquals(List.of(1, 1, 1), spread(Policy.OWN, 16, 3));
        assertEquals(List.of(8, 8, 8, 8, 8, 8, 8, 8), spread(Policy.AUTO, 8, 64));
    }
}
